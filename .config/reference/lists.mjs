// The pages of formats, codes, files of a run and JSON shapes.
import { page, paths } from './page.mjs';
import { cell, keysOf, table } from './schema.mjs';
import { shapeSections } from './shapes.mjs';
import { fileWords } from './words.mjs';

export function formatsPage({ sourceFormats, exporters, toJsonSchema }) {
  const ownKeys = (options, without = []) => {
    const { properties, $defs, ...schema } = toJsonSchema(options);
    const own = Object.entries(properties).filter(([key]) => !without.includes(key));
    return keysOf({ ...schema, properties: Object.fromEntries(own) }, $defs);
  };
  const ofFiles = sourceFormats.filter(({ live }) => live !== true);
  const [first, ...others] = ofFiles.map(({ options }) => toJsonSchema(options).properties);
  const ofAll = Object.entries(first)
    .filter(([key, schema]) => others.every((each) => JSON.stringify(each[key]) === JSON.stringify(schema)))
    .map(([key]) => key);
  const shared = ownKeys(ofFiles[0].options).filter(({ path }) => ofAll.includes(path.split('.', 1)[0]));
  return page(
    'Formats',
    `What an import can read, and what an export can write. ${paths}`,
    [
      '## Input formats',
      '',
      'All of them stream. Every format that reads a file takes these:',
      '',
      table(shared),
    ],
    ...sourceFormats.map(({ name, words, extensions, options, live }) => {
      const lines = ownKeys(options, live === true ? [] : ofAll);
      return [
        `### ${name}`,
        '',
        words.reads,
        '',
        `- Columns: ${words.columns}`,
        `- \`_line\` in reports: ${words.line}`,
        ...(extensions.length > 0 ? [`- Files: ${endings(extensions)}`] : []),
        '',
        words.keys ?? (lines.length > 0 ? table(lines) : 'No keys of its own.'),
      ];
    }),
    ['## Formats of exports', '', 'Write the keys next to `format`, under `contacts` or `messages`.'],
    ...exporters.map(({ name, words, options }) => {
      const lines = ownKeys(options);
      return [
        `### ${name} export`,
        '',
        words.holds,
        '',
        `- Files: ${words.files}`,
        '',
        lines.length === 0 ? 'No keys of its own.' : table(lines),
      ];
    }),
  );
}

const endings = (extensions) => [...new Set(extensions)].map((each) => `\`.${each}\``).join(', ');
function wordsOf(words, name) {
  const found = words[name];
  if (found === undefined) throw new Error(`.config/reference/words.mjs has no words for ${name}.`);
  return found;
}

export function codesPage({ rowCodes, exitCodes }) {
  const lines = (codes) => [
    '| code | meaning | example | what to do |',
    '|---|---|---|---|',
    ...codes.map(
      ({ code, meaning, example, next }) =>
        `| \`${code}\` | ${cell(meaning)} | ${cell(example)} | ${cell(next)} |`,
    ),
  ];
  return page(
    'Codes',
    '`longshore explain CODE` prints the same for one code.',
    [
      '## Row codes',
      '',
      'They are in `rejects.csv` where they cost the row, and in `dropped.csv` where only something of the row was left out. `<field>` is a field of the contact, such as `email`, or `customFields.NAME`.',
      '',
      ...lines(rowCodes),
    ],
    [
      '## Exit codes',
      '',
      'After 4, 5, 7, 130 and 143 everything is saved: fix the cause and type the same command again.',
      '',
      ...lines(exitCodes),
    ],
  );
}

export function runFilesPage({ fileNames, columns }) {
  const list = Object.entries(fileNames).map(([name, file]) => {
    const own = columns[name]?.map((each) => `\`${each}\``).join(', ') ?? '';
    return `| \`${file}\` | ${cell(wordsOf(fileWords, name))} | ${own} |`;
  });
  return page(
    'Files of a run',
    'They are in `.longshore/runs/RUN/`, written from the journal when the command ends, so they are complete after a crash too. A list without lines is not written. `_line` is the line where the row begins; the first line of the file is 1. `_sheet` is there only where several sheets are one input (`sheets:`), and `_line` is the row of that sheet. An export leaves `summary.json` and `log.ndjson`; everything else of it is in its own folder.',
    ['| file | what it holds | columns |', '|---|---|---|', ...list],
    [
      '`rejects.csv` has the columns of your input before these. `merge-proposals.csv` has `approve`, `_line`, `_key`, `contact_1_id` (the older contact), `contact_2_id`, then for each field `contact_1.FIELD`, `contact_2.FIELD`, `row.FIELD` and `result.FIELD`.',
    ],
  );
}

export function jsonPage({ files, verificationSchema, folderVerificationSchema }) {
  const printed = new Set();
  const shape = (title, about, ...names) => [
    `## ${title}`,
    '',
    about,
    '',
    ...names.flatMap((name) => shapeSections(name, files, printed)),
  ];
  return page(
    'JSON shapes',
    'With `--json` a command prints one JSON value on standard output and nothing else there. Times are ISO 8601 in UTC. A `?` marks a property that may be absent.',
    shape(
      'import, retry, resume',
      '`import`, `retry`, and `resume` of an import print a `Summary`, also written to `summary.json`. A retry with nothing to do prints `{ "run", "toRetry": 0 }`.',
      'Summary',
    ),
    shape('export', '`export`, and `resume` of an export, print an `ExportSummary`.', 'ExportSummary'),
    shape(
      'undo',
      '`undo`, and `resume` of an undo, print an `UndoSummary`, also written to `summary.json`; `undo --dry-run` prints an `UndoPreview`.',
      'UndoSummary',
      'UndoPreview',
    ),
    shape(
      'check',
      '`check` prints `{ "ok", "findings", "rows" }`: a list of `Finding`, and `RowCheckCounts` of an import whose rows were checked, else `null`.',
      'Finding',
      'RowCheckCounts',
    ),
    shape(
      'status',
      '`status` prints a `RunStatus`, of an export an `ExportStatus`.',
      'RunStatus',
      'ExportStatus',
    ),
    [
      '## verify',
      '',
      '`verify` prints what it found; `longshore schema verification` prints the same as a JSON Schema. Of an import:',
      '',
      table(keysOf(verificationSchema, verificationSchema.$defs)),
      '',
      'Of the folder of an export it prints:',
      '',
      table(keysOf(folderVerificationSchema, folderVerificationSchema.$defs)),
    ],
    shape('runs', '`runs` prints a list of `RunLine`.', 'RunListEntry'),
    shape(
      'forget',
      '`forget` prints a `ForgetResult` with `removed: true`; `forget --dry-run` a `FoundPerson` with `removed: false`.',
      'ForgetResult',
    ),
    shape(
      'fleet',
      '`fleet status` prints a `FleetStatus`; with `--watch` one on a line of its own every two seconds. `fleet init` prints `{ "from", "to", "role", "created", "passwordSet", "next" }`, `fleet apply` `{ "fleet", "applied", "workspaces", "assignments", "unchanged", "limits" }` with what is `added`, `changed` or `removed`, `fleet run` and `fleet retry` `{ "queued" }` with a list of `{ "workspace", "pipeline" }`, `fleet pause` and `fleet resume` `{ "workspaces" }`, `fleet forget` `{ "workspaces" }` with a list of `{ "workspace", "state" }`: `found` with the keys of a `FoundPerson`, `forgotten` with those of a `ForgetResult`, `nothing`, `busy`, or `failed` with `"exitCode"`, `"message"` and `"next"`.',
      'FleetStatus',
    ),
    shape('explain', '`explain CODE` prints an `Explanation`, `explain` a list of them.', 'CodeExplanation'),
    shape('Alerts', 'What `notify` posts.', 'Alert'),
    [
      '## Other commands',
      '',
      '`schema` prints the JSON Schema, `completion` `{ "shell", "script" }`, `schedule` a list of `{ "name", "text" }`, `prune` `{ "removed", "pruned", "kept" }` with lists of `{ "run", "rows", "steps", "open", "proposals" }`.',
    ],
  );
}
