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
