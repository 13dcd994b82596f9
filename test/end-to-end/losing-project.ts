import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './in-process.ts';

const mapping = `mapping: m
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  email: { from: [Email, Other], onInvalid: drop }
  phone: { from: [Phone, Mobile], country: { from: Country, default: DE }, onInvalid: drop }
customFields:
  Score: { from: Score, type: number, onInvalid: drop, create: true }
assignee: { from: Owner }
lifecycle: { from: Stage, stages: [Lead, Customer], onInvalid: drop }
tags: { from: Tags, split: ";", overflow: first10 }
conversation: { status: { from: Conversation } }
comments:
  - { name: note, text: "{Note}" }
tests:
  - { row: { Id: "1", Name: Ada, Email: a@example.com }, expect: { contact: { firstName: Ada } } }
`;
export const columns =
  'Id,Name,Email,Phone,Owner,Stage,Tags,Conversation,Note,Score,Fax,Country,Mobile,Other';
const twelve = Array.from({ length: 12 }, (_, n) => `tag${n}`).join(';');

/** A row that loses something, by the kind of loss; a person of its own where nothing else is said. */
export const losing: Readonly<Record<string, readonly string[]>> = {
  rejected: ['1,Nobody,,,,,,,,,'],
  folded: ['2,Bob,bob@example.com,,,,,,,,', '2,Bob,bob2@example.com,,,,,,,,'],
  phones: ['3,Cyd,cyd@example.com,12,,,,,,,'],
  extensions: ['4,Dee,dee@example.com,+49 30 23125111 ext. 12,,,,,,,'],
  emails: ['5,Eve,eve at example,+49 30 23125112,,,,,,,'],
  values: ['6,Fay,fay@example.com,,,,,,,many,'],
  owners: ['7,Gil,gil@example.com,,Anna Alt,,,,,,', '8,Hal,hal@example.com,,Anna Alt,,,,,,'],
  stages: ['9,Ivy,ivy@example.com,,,Churned,,,,,'],
  stagesKept: ['10,Jan,jan@example.com,,,Lead,,,,,'],
  tags: [`11,Kim,kim@example.com,,,,${twelve},,,,`],
  conversations: ['12,Lea,lea@example.com,,,,,snoozed,,,'],
  deferred: ['13,Max,max@example.com,,,,,closed,,,'],
  commentsSplit: [`14,Ned,ned@example.com,,,,,,${'long '.repeat(300)},,`],
  commentsForExisting: ['15,Jan,jan2@example.com,,,,,,Hello,,'],
  conflicts: ['16,Pia,pia@example.com,+49 30 23125116,,,,,,,'],
  columns: ['17,Quin,quin@example.com,,,,,,,,030 1'],
  questions: ['18,Rex,rex@example.com,,,,,,,,', '19,Sue,rex@example.com,,,,,,,,'],
  shared: ['20,Tim,tim@example.com,+49 30 23125120,,,,,,,', '21,Uma,uma@example.com,+49 30 23125120,,,,,,,'],
  keysReused: ['22,Vic,vic@example.com,,,,,,,,', '22,Wes,wes@example.com,,,,,,,,'],
  byPhoneAlone: ['23,Xan,xan@example.com,+49 30 23125123,,,,,,,'],
  countryAssumed: ['24,Yve,yve@example.com,030 23125124,,,,,,,'],
  namesDefaulted: ['28,,nora@example.com,,,,,,,,'],
  countryUnknown: ['25,Zoe,zoe@example.com,030 23125125,,,,,,,,Atlantis'],
  furtherPhones: ['26,Abe,abe@example.com,+49 30 23125126,,,,,,,,,+49 30 23125127'],
  furtherEmails: ['27,Bea,bea@example.com,,,,,,,,,,,bea2@example.com'],
};
/** A project, a workspace with people, and the command in it. */
export async function losingProject(rows: readonly string[], settings = '') {
  const folder = temporaryFolder();
  const sandbox = await startSandbox({
    seed: {
      contacts: [
        { firstName: 'Jan', email: 'jan@example.com', lifecycle: 'Customer' },
        { firstName: 'Jan', email: 'jan2@example.com' },
        { firstName: 'Pia', email: 'pia@example.com' },
        { firstName: 'Pia', phone: '+493023125116' },
        { firstName: 'Sunny', phone: '+493023125123' },
      ],
    },
  });
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const source = 'pipeline: p\nimport:\n  source: { format: csv, path: rows.csv }\n  mapping: mapping.yaml\n';
  write('p.yaml', `${source}${settings}`);
  write('mapping.yaml', mapping);
  write('rows.csv', [columns, ...rows.map(padded), ''].join('\n'));
  const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
  return {
    folder: folder.path,
    types: (line: string) => run(line.split(' '), env, undefined, folder.path),
    json: async (line: string) =>
      JSON.parse((await run([...line.split(' '), '--json'], env, undefined, folder.path)).stdout),
    async close() {
      await sandbox.close();
      folder.remove();
    },
  };
}

/** A row with a cell for each column. */
export function padded(row: string): string {
  return row + ','.repeat(columns.split(',').length - row.split(',').length);
}
