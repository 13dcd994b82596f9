// What no schema says: what each format reads or writes, and what each file of a run is for. A format or a file without
// its words stops the generator.

export const sourceWords = {
  csv: {
    reads: 'Text with delimiters.',
    columns: 'The header; without one `Column 1`, `Column 2` and so on.',
    line: 'The line where the record begins.',
  },
  tsv: { reads: 'Text with tabs.', columns: 'As CSV.', line: 'The line where the record begins.' },
  json: {
    reads: 'An array of records, at the top of the document or at the place that `at` names.',
    columns:
      'The path of each value: `company.name`, `emails[0].value`. A list is also one column, as JSON text, and `emails[].value` is all its values.',
    line: "The record's number.",
  },
  ndjson: { reads: 'A JSON record in each line.', columns: 'As JSON.', line: 'The line.' },
  jsonl: { reads: 'The same as `ndjson`.', columns: 'As JSON.', line: 'The line.' },
  sql: {
    reads: 'One table of a dump of mysqldump, phpMyAdmin or pg_dump, without a database server.',
    columns: "The table's.",
    line: 'The line of the tuple.',
  },
  xlsx: {
    reads: 'One sheet of a workbook. Dates are read as dates, formulas by their value.',
    columns: 'The header row.',
    line: 'The row of the sheet.',
  },
  sqlite: {
    reads: 'A table or a view of a SQLite file, which is never written.',
    columns: "The table's.",
    line: "The row's number.",
  },
  vcard: {
    reads: 'vCard 2.1, 3.0 and 4.0. The files of a folder or an archive are read as one address book.',
    columns:
      '`EMAIL`, `EMAIL.2`, `TEL.cell`, `N.family`, `N.given`, `ADR.country` and so on; `CATEGORIES[]` is all values of a list.',
    line: 'The line of `BEGIN`.',
  },
  dump: {
    reads:
      'Several tables, of which one is imported and others are joined to it: a folder, a zip or a tar.gz of files of the formats above, a SQL dump, or a SQLite file.',
    columns: 'Those of the imported table, and `JOIN.column` for each join.',
    line: 'As the format of the imported table.',
  },
  workspace: {
    reads: 'The contacts of another workspace of this interface, by its address and its token.',
    columns:
      '`id`, `firstName`, `lastName`, `email`, `phone`, `language`, `countryCode`, `profilePic`, `lifecycle`, `assignee.id`, `assignee.email`, `assignee.firstName`, `assignee.lastName`, `status`, `isBlocked`, `created`, `tags[]`, `customFields.NAME`, and the list `messages`.',
    line: "The contact's number in the copy.",
  },
};

export const exporterWords = {
  csv: {
    files: 'One for each kind of record.',
    holds:
      'The chosen columns as text. Lists are joined by `;`, objects are JSON, times are ISO 8601 in UTC. An empty text is `""`, no value is nothing.',
  },
  ndjson: {
    files: 'One for each kind of record.',
    holds: 'Everything: the normal form in each line, and under `given` the object as the interface sent it.',
  },
  xlsx: { files: 'One for each kind of record.', holds: 'The chosen columns as typed cells.' },
  parquet: {
    files: 'One for each kind of record.',
    holds: 'The chosen columns, typed, and the columns `normal` and `given` with each record whole, as JSON.',
  },
  sqlite: { files: '`workspace.db` for all kinds.', holds: 'Tables with keys and indexes; see the guide.' },
};

export const fileWords = {
  summary: 'What `--json` prints: see [JSON shapes](json.md#import-retry-resume).',
  rejects: 'The rows that were rejected or failed, with the columns of your input. Fix it and retry.',
  dropped: 'What was left out of rows that were taken.',
  uncertain: 'Comments that may have been sent.',
  mergeProposals: 'Two contacts in each line that may be one person. Write `yes` under `approve`.',
  contacts:
    'Every row that came to a contact. A contact that was created and not read since has no `contactId` yet.',
  contactTags:
    'Contacts whose tags are new or changed in this run, for a manual import. Tags are joined by `;`.',
  notTaken:
    'Of a retry: rows of earlier runs that are not in its file any more, or that were finished and changed since.',
  gone: 'People whom earlier runs knew and this file does not name. Nothing is done about them.',
  report: 'The same as a page to look at. It loads nothing from elsewhere.',
  log: 'What happened when, one JSON record in each line. A new file begins at 64 MB; three older ones are kept.',
};

/** Properties of JSON that mean the same wherever they are; any other needs a sentence above it in the code. */
export const propertyWords = {
  acked: 'How many the workspace confirmed.',
  code: 'See [Codes](codes.md).',
  column: 'The column.',
  command: 'What to type; null where there is nothing to type.',
  consequence: 'What it did to the row.',
  counts: 'How many of each kind.',
  event: 'The occasion.',
  example: 'An example.',
  examples: 'The first few rows that have it.',
  exitCode: 'See [Exit codes](codes.md#exit-codes).',
  file: 'The file.',
  filtered: 'How many rows `where` left out.',
  finishedAt: 'When it ended.',
  folder: 'The folder of the export; null where it did not appear.',
  host: 'The machine.',
  key: 'The key in the YAML.',
  kind: 'Which kind.',
  lastSeenAt: 'When it was last seen.',
  line: 'The line; the first one is 1.',
  message: 'What there is to say of it, in a sentence.',
  n: 'How often.',
  next: 'What to do next.',
  ok: 'How many were answered with success.',
  outcome: 'How it ended.',
  pass: 'How many rows pass.',
  pid: 'The number of the process.',
  pipeline: 'The name of the pipeline.',
  place: 'Where it is.',
  problems: 'What was wrong with rows, by code.',
  read: 'How many rows were read.',
  reason: 'What is wrong, in a sentence.',
  rejected: 'How many rows are rejected.',
  rejects: 'Why rows are rejected.',
  requests: 'How many requests were sent, by operation.',
  resend: 'Whether comments that may have been sent are sent again.',
  row: 'The number of the row; the first one is 1.',
  rows: 'How many rows.',
  run: 'The run, as `runs` lists it.',
  seconds: 'How long it worked, in all sessions together.',
  selection: 'Which rows of the input it worked on.',
  sent: 'How many were sent.',
  several: 'How many people.',
  startedAt: 'When it started.',
  state: 'Its state now.',
  steps: 'How many steps, by name.',
  text: 'What was found, in a sentence.',
  verdict: 'Whether it is right, wrong, or worth knowing.',
  weakPhones: 'How many phones.',
  why: 'The reason.',
};
