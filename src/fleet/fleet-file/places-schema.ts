import * as z from 'zod';
import { isBaseUrl, variableNamePattern } from '../../model/base-url.ts';

const notAVariable = 'the name of an environment variable is expected here, not the key itself';

const keyName = z.string().regex(variableNamePattern, notAVariable);

const bucketShape = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([^?#]*))?$/;

const bucketSchema = z.strictObject({
  bucket: z
    .string()
    .regex(bucketShape, 'a bucket is written as s3://bucket or s3://bucket/prefix')
    .describe('The bucket, with a prefix where there is one: s3://bucket/prefix.'),
  endpoint: z
    .string()
    .refine(
      isBaseUrl,
      'this is not an https address without user name, such as https://s3.example.com (http is allowed only for this machine)',
    )
    .describe('The address of the service.'),
  region: z.string().min(1).default('us-east-1').describe('The region of the bucket.'),
  accessKeyEnv: keyName
    .prefault('LONGSHORE_S3_ACCESS_KEY')
    .describe('The environment variable that holds the access key.'),
  secretKeyEnv: keyName
    .prefault('LONGSHORE_S3_SECRET_KEY')
    .describe('The environment variable that holds the secret key.'),
});

const place = z.union([z.string().min(1), bucketSchema]);

/** The schema of `places` in fleet.yaml: the storage of inputs, outputs and results. */
export const placesSchema = z
  .strictObject({
    inputs: place
      .optional()
      .describe(
        'Where the paths of inputs begin: a folder that every worker reads, relative to this file, or a bucket. Left out: at each pipeline file.',
      ),
    outputs: place
      .optional()
      .describe(
        'Where the folders of exports begin: a folder that every worker writes, relative to this file, or a bucket. Left out: at each pipeline file.',
      ),
    results: place
      .optional()
      .describe(
        'Where what runs leave for people goes (reports, rejects.csv, same-person.csv and the rest), in WORKSPACE/PIPELINE/RUN: a folder that every worker writes, relative to this file, or a bucket. They hold data of people. Left out: only in the work dir of the machine.',
      ),
    keepResults: z
      .int()
      .min(1)
      .optional()
      .describe('Of how many runs of a pipeline they are kept; left out: of all.'),
  })
  .describe('Where files are that all workers share.');

/** A bucket, with the names of the environment variables that have its keys. */
export interface BucketLocation extends Omit<z.output<typeof bucketSchema>, 'bucket'> {
  readonly kind: 'bucket';
  readonly bucket: string;
  /** The prefix of all keys, without slashes at its ends; empty for none. */
  readonly prefix: string;
}

/** The location of shared files: a folder with an absolute path, or a bucket. */
export type StorageLocation = { readonly kind: 'folder'; readonly path: string } | BucketLocation;

/** The schema of a location as the fleet's row in the database stores it. */
export const storageLocationSchema: z.ZodType<StorageLocation> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), path: z.string() }),
  bucketSchema.extend({ kind: z.literal('bucket'), bucket: z.string(), prefix: z.string() }),
]);

/** Parses a location of fleet.yaml; `absolute` resolves the path of a folder. */
export function parseStorageLocation(
  written: z.output<typeof place> | undefined,
  absolute: (path: string) => string,
): StorageLocation | undefined {
  if (written === undefined) return undefined;
  if (typeof written === 'string') return { kind: 'folder', path: absolute(written) };
  const { bucket: address, ...rest } = written;
  const [, bucket = '', prefix = ''] = bucketShape.exec(address) ?? [];
  return { ...rest, kind: 'bucket', bucket, prefix: prefix.replaceAll(/^\/+|\/+$/g, '') };
}
