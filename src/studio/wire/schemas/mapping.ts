import * as z from 'zod';

const path = z.string().min(1).max(4096);
const text = z.string();
const yamlPath = z.array(z.union([z.string(), z.int().min(0)]));
const target = yamlPath.min(1);
const plain = z.json();

/** The input that the mapping is applied to: that of the pipeline at `path`, or the file itself. */
const input = z.strictObject({ kind: z.enum(['pipeline', 'file']), path });

/** The path and the text of a mapping, which may be unsaved. */
const unsaved = { path, text };

/** One change of a mapping's text. */
const edit = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('setTarget'), target, rule: plain }),
  z.strictObject({ kind: z.literal('removeTarget'), target }),
  z.strictObject({ kind: z.literal('setKey'), target: yamlPath, key: target, value: plain }),
  z.strictObject({ kind: z.literal('removeKey'), target: yamlPath, key: target }),
  z.strictObject({
    ...{ kind: z.literal('setEntries'), target: yamlPath, key: target },
    entries: z.array(z.tuple([text, plain])),
  }),
  z.strictObject({ kind: z.literal('removeEntries'), target: yamlPath, key: target, names: z.array(text) }),
  z.strictObject({ kind: z.literal('answer'), path: target, question: text, answer: plain }),
  z.strictObject({ kind: z.literal('addTest'), test: plain }),
  z.strictObject({ kind: z.literal('sendCommentsToExisting'), sends: z.boolean() }),
  z.strictObject({ kind: z.literal('renameColumn'), column: z.string().min(1), to: z.string().min(1) }),
  z.strictObject({
    ...{ kind: z.literal('moveColumn'), column: z.string().min(1) },
    ...{ from: target.nullable(), to: target.nullable(), rule: z.record(z.string(), plain) },
  }),
]);

export const mappingFileRequestSchema = z.strictObject({ path });
/** The path of a YAML file, and a random id of the tab that has it open. */
export const watchYamlRequestSchema = z.strictObject({ path, tab: z.string().min(1).max(100) });
export const mappingSummaryRequestSchema = z.strictObject({ text });
export const editMappingRequestSchema = z.strictObject({ text, edit });
export const mappingColumnsRequestSchema = z.strictObject({ input });
export const mappingCountsRequestSchema = z.strictObject({ input, ...unsaved });
export const mappingRowRequestSchema = z.strictObject({
  ...{ input, ...unsaved },
  /** The row by its number, from 0, or the first row at or after a line. */
  row: z.union([z.strictObject({ number: z.int().min(0) }), z.strictObject({ atLine: z.int().min(1) })]),
});
export const mappingValuesRequestSchema = z.strictObject({ input, ...unsaved, target: z.string().min(1) });
export const mappingRowsRequestSchema = z.strictObject({
  ...{ input, ...unsaved, from: z.int().min(0) },
  problem: z
    .strictObject({ code: z.string().min(1), effect: z.enum(['rejected', 'rejectedIfNew', 'dropped']) })
    .nullable(),
  cell: z.strictObject({ column: z.string(), text }).nullable(),
  search: text,
});
