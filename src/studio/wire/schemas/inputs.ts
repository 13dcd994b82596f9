import * as z from 'zod';

const typed = z.string().min(1).max(200).optional();

const settings = {
  path: z.string().min(1).max(4096),
  format: typed,
  header: typed,
  sheet: typed,
  table: typed,
  delimiter: typed,
  encoding: typed,
};

/** The schema of a request to preview an input, with settings named like the flags of `draft`. */
export const inputPreviewRequestSchema = z.strictObject({
  ...settings,
  /** The number of first rows, and of sample rows. */
  rows: z.int().min(1).max(500),
  /** The seed of the sample, from 0 to below 1. */
  seed: z.number().min(0).lt(1),
});

/** The schema of a request to find the imports whose input has the same columns as a file. */
export const similarImportsRequestSchema = z.strictObject(settings);

/** The schema of a request to compare a file with the input of a pipeline. */
export const newerInputRequestSchema = z.strictObject({ ...settings, pipeline: z.string().min(1).max(4096) });
