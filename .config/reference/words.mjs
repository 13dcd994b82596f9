// What no schema says: what each file of a run is for. A file without its words stops the generator. What a format reads or
// writes is said in its own source (csv-source.ts) or exporter (csv-exporter.ts).

export const fileWords = {
  summary: 'What `--json` prints: see [JSON shapes](json.md#import-retry-resume).',
  rejects: 'The rows that were rejected or failed, with the columns of your input. Fix it and retry.',
  dropped: 'What was left out of rows that were taken.',
  uncertain:
    'Comments that may have been sent. Write `yes` under `resend` to send one again, `no` if it is there.',
  mergeProposals:
    'Two contacts in each line that may be one person. Write `yes` under `approve`; the `result` cells can be edited.',
  samePerson:
    'A row and another row or a contact in each line that may be one person. Write `same` or `different` under `answer`.',
  approvedMerges: 'The proposals with the answers that were given in the studio, for `import --approve`.',
  contacts:
    'Every row that came to a contact. A contact that was created and not read since has no `contactId` yet.',
  contactTags:
    'Contacts whose tags are new or changed in this run, for a manual import. Tags are joined by `;`.',
  notTaken:
    'Of a retry: rows of earlier runs that are not in its file any more, or that were finished and changed since.',
  gone: 'People whom earlier runs knew and to whose contacts no row of this file led. Nothing is done about them. Rejected and failed rows may be theirs: correct and retry them before you use the list. `lastLine` is empty if a corrected `rejects.csv` had the row.',
  unjoined:
    'Rows of joined tables that belong to no row that is imported, with their own id, what they are joined by (`parent`) and the reason. Those that `where` leaves out are counted only.',
  undoKept: 'Written by `undo`: everything that it left as it is, and what a person can do about it.',
  verification:
    'Written by `verify`: everything that is not as it was written. `verify --all` writes `verification-all.csv`.',
  verificationPage: 'Written by `verify`: a page to hand over and sign.',
  verificationData: 'Written by `verify`: the same as data, as `verify --json` prints it.',
  report:
    'A page to look at: first for whoever ordered the migration, then the technical part. It loads nothing from elsewhere.',
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
