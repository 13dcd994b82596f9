import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contractLines } from './contract.ts';

const reference = 'docs/reference';

/**
 * Every difference from contract.txt, which is the contract of the last release, with its reason. With a new release, what
 * `contractLines` gives becomes contract.txt, and this list is empty again.
 */
const changes: readonly (readonly [why: string, lines: readonly string[]])[] = [
  ['It says what has left out the filtered rows of a run.', ['+ json.md · status · filters? · string[]']],
  [
    'The studio has a port of its project unless another is named, so that its addresses stay the same.',
    ['- commands.md · studio · --port · a number · 0', '+ commands.md · studio · --port · a number'],
  ],
  [
    'The names of users and stages are found where those of fields are.',
    [
      '+ commands.md · fields · --all',
      '+ commands.md · longshore fields <pipeline> [options]',
      '+ commands.md · longshore fields pipelines/mine.yaml         # what customFields of the mapping can fill',
      '+ commands.md · longshore fields pipelines/mine.yaml --all   # also the users for assignee, and the stages for lifecycle',
      '- commands.md · longshore fields <pipeline>',
      '- commands.md · longshore fields pipelines/mine.yaml   # what customFields of the mapping can fill',
    ],
  ],
  [
    'Rows that name a row of another table that is not there are counted.',
    ['check', 'import, retry, resume'].flatMap((command) => [
      `+ json.md · ${command} · tables?.named.unresolved? · {}`,
      `+ json.md · ${command} · tables?.named.unresolved?.examples · { line: number; id: string | null; }[]`,
      `+ json.md · ${command} · tables?.named.unresolved?.rows · number`,
    ]),
  ],
  [
    'Cells with several ids can be joined, and rows are counted whose join lacks another table.',
    [
      '+ formats.md · dump · join.NAME.split · text',
      ...['check', 'import, retry, resume'].flatMap((command) => [
        `- json.md · ${command} · tables?.named.unjoined.reason · 'unknownId' | 'emptyId' | 'otherKind' | 'linksToNothing' | 'notPicked' | 'parentLeftOut' | 'broken'`,
        `+ json.md · ${command} · tables?.named.unjoined.reason · 'unknownId' | 'emptyId' | 'otherKind' | 'linksToNothing' | 'notPicked' | 'missingTable' | 'parentLeftOut' | 'broken'`,
      ]),
    ],
  ],
  [
    'Created contacts that share an e-mail or phone with another contact after an undo are counted.',
    ['+ json.md · undo · sharedIdentifiers · number'],
  ],
  [
    'A row of a line with several is named by its number, too.',
    ['- commands.md · plan · --row · a number', '+ commands.md · plan · --row · text'],
  ],
  [
    'Dates of comments may be written in several ways.',
    [
      '- mapping.md · comments · [].dates · names, each with: text',
      '+ mapping.md · comments · [].dates · names, each with: text or a list of: text',
    ],
  ],
  [
    'One code is explained at a time: of several, all but the last were ignored.',
    ['- commands.md · longshore explain [code..]', '+ commands.md · longshore explain [code]'],
  ],
  [
    'The example of a plan of one row has plainer words.',
    [
      '- commands.md · longshore plan pipelines/mine.yaml --row 17                            # what becomes of line 17',
      '+ commands.md · longshore plan pipelines/mine.yaml --row 17                            # what happens to line 17',
    ],
  ],
  ['A comment may need more than a date.', ['+ mapping.md · comments · [].needs · text or a list of: text']],
  [
    'Full names may have the family name first.',
    ['firstName', 'lastName'].map((name) => `+ mapping.md · contact · ${name}.familyFirst · true, false`),
  ],
  ['A comment of two rows of one person is sent once.', ['+ codes.md · Row codes · comments.repeated']],
  ['A draft imports any of the people of a row.', ['+ commands.md · draft · --person · text']],
  ['A phone that ends in zeros is imported and named.', ['+ codes.md · Row codes · <field>.rounded']],
  [
    'Contacts that were created with the default first name are counted.',
    ['+ codes.md · Row codes · firstName.default'],
  ],
  [
    'A run is named by the file that it read.',
    ['+ json.md · runs · input · string', '+ json.md · status · input · string'],
  ],
  [
    'The status of a fleet says since when a job has failed, when it is tried again, and what a try came to.',
    [
      '+ json.md · fleet · assignments.failingSince · string | null',
      '+ json.md · fleet · assignments.last.counts? · Record<string, number>',
      '+ json.md · fleet · assignments.last.seconds? · number',
      '+ json.md · fleet · assignments.retryAt · string | null',
    ],
  ],
  [
    'The status of a fleet says since when a running job waits for its workspace, and why.',
    [
      '+ json.md · fleet · assignments.waitsFor · {} | null',
      '+ json.md · fleet · assignments.waitsFor.reason · string',
      '+ json.md · fleet · assignments.waitsFor.since · string',
    ],
  ],
  ['A run in the list is named with its workspace.', ['+ json.md · runs · workspace · string']],
  [
    'The status of a run counts the questions that no later run has answered.',
    [
      '+ json.md · status · proposals? · {}',
      '+ json.md · status · proposals?.open · number',
      '+ json.md · status · proposals?.proposed · number',
      '+ json.md · status · proposals?.refused · number',
      '+ json.md · status · questions? · {}',
      '+ json.md · status · questions?.asked · number',
      '+ json.md · status · questions?.open · number',
    ],
  ],
  [
    'A date of birth tells apart people with one name and one phone, and a question shows further phones.',
    [
      '+ data-types.md · date · birthDate · true, false',
      '- run-files.md · Files of a run · same-person.csv · answer, _sheet, _line, _key, evidence, other, other_sheet, other_line, other_key, other_contact, row.firstName, row.lastName, row.email, row.phone, other.firstName, other.lastName, other.email, other.phone',
      '+ run-files.md · Files of a run · same-person.csv · answer, _sheet, _line, _key, evidence, other, other_sheet, other_line, other_key, other_contact, row.firstName, row.lastName, row.email, row.phone, row.further, row.birthDate, other.firstName, other.lastName, other.email, other.phone, other.further, other.birthDate',
    ],
  ],
  [
    'The page shows what it only named before: these shapes are as they were.',
    [
      '- json.md · fleet · assignments.last.results? · Results',
      '- json.md · fleet · assignments.last.steps? · Step[]',
      '- json.md · forget · counts · PersonCounts',
      '- json.md · forget · exports · ExportFound[]',
      '+ json.md · fleet · assignments.last.results? · {}',
      '+ json.md · fleet · assignments.last.results?.files · string[]',
      '+ json.md · fleet · assignments.last.results?.folder · string',
      '+ json.md · fleet · assignments.last.steps? · {}[]',
      '+ json.md · fleet · assignments.last.steps?.command · string | null',
      '+ json.md · fleet · assignments.last.steps?.why · string',
      '+ json.md · forget · counts · {}',
      '+ json.md · forget · counts.comments · number',
      '+ json.md · forget · counts.memories · number',
      '+ json.md · forget · counts.proposals · number',
      '+ json.md · forget · counts.questions · number',
      '+ json.md · forget · counts.rows · number',
      '+ json.md · forget · counts.steps · number',
      '+ json.md · forget · exports · {}[]',
      '+ json.md · forget · exports.folder · string',
      "+ json.md · forget · exports.holds · 'yes' | 'no' | 'perhaps'",
    ],
  ],
];

it('flags, YAML keys, JSON shapes, codes and file names are those of the last release but for the named changes', () => {
  const released = readFileSync('test/contract/contract.txt', 'utf8').trimEnd().split('\n');
  const pages = readdirSync(reference).map(
    (name) => [name, readFileSync(join(reference, name), 'utf8')] as const,
  );
  const present = contractLines(pages);
  expect([...without(released, present, '-'), ...without(present, released, '+')].sort()).toEqual(
    changes.flatMap(([, lines]) => lines).sort(),
  );
  expect(present.length).toBeGreaterThan(1_000);
});

function without(lines: readonly string[], others: readonly string[], sign: '-' | '+'): readonly string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line)).map((line) => `${sign} ${line}`);
}

it('a JSON shape is followed through its types, whatever their names are', () => {
  const page = (name: string) =>
    `## status\n\n### Top\n\n| property | type | meaning |\n|---|---|---|\n| \`a?\` | \`${name} \\| null\` | Text. |\n\n### ${name}\n\n| property | type | meaning |\n|---|---|---|\n| \`b\` | \`number\` | Text. |\n`;
  const lines = ['json.md · status · a? · {} | null', 'json.md · status · a?.b · number'];
  for (const name of ['Inner', 'Renamed']) expect(contractLines([['json.md', page(name)]])).toEqual(lines);
});
