import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkExport } from '../../../src/app/check/export/check-export.ts';
import { loadExportPipelineDocument } from '../../../src/pipeline/index.ts';
import type { Workspace } from '../../../src/workspace/index.ts';
import { live, seed } from '../../steps/live.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const folder = temporaryFolder();
const file = join(folder.path, 'export.yaml');

afterAll(() => folder.remove());

/** What `check` says of an export, a line for each finding: its verdict, its place and its words. */
async function found(settings: string, workspace?: Workspace): Promise<readonly string[]> {
  writeFileSync(file, `pipeline: p\nexport:\n${settings}`);
  const findings = await checkExport({ document: await loadExportPipelineDocument(file), workspace });
  return findings.map(({ verdict, text, place }) => {
    const where = place?.line === undefined ? '' : `${place.line}:${place.column} `;
    return `${verdict}: ${where}${text}`;
  });
}

const least = '  to: out/{date}\n';

test('a plain export is nothing but well, and nothing is made', async () => {
  const settings = `${least}  contacts: { format: csv, incremental: true, columns: { id: id, Mail: email } }\n  workspaceObjects: [users, tags]\n`;
  expect(await found(settings)).toEqual([
    'ok: pipeline p',
    'ok: exports contacts as csv (2 columns), after the first time only what is new; users, tags as csv',
    `ok: to ${join(folder.path, 'out', '{date}')}`,
  ]);
  expect(existsSync(join(folder.path, 'out'))).toBe(false);
});

describe('what somebody should know before the first night', () => {
  test.each([
    [
      'an increment that no full export can be made of',
      '  contacts: { format: ndjson, incremental: true }\n  messages: { format: csv }\n',
      'messages are written as csv, which does not keep everything: --compact cannot combine such increments; use ndjson for that',
    ],
    [
      'several values in one text',
      '  contacts: { format: csv, filter: { tags: { hasAnyOf: "vip;old" } } }\n',
      'hasAnyOf: "vip;old" is sent as written; the API does not document how it separates values',
    ],
    [
      'a date',
      '  timezone: Asia/Tokyo\n  contacts: { format: csv, filter: { created_at: { isGreaterThan: 2026-01-01 } } }\n',
      'dates of the filter are sent as written, in the time zone Asia/Tokyo; the API documents no date format',
    ],
    [
      'messages alone',
      '  messages: { format: csv }\n',
      'contacts are read for their messages, but not exported',
    ],
    [
      'empty exports that would push full ones out',
      '  keep: 3\n  contacts: { format: csv }\n',
      'No minimum set: an empty export could replace good ones; set expect: { contacts: { min: 1 } }',
    ],
    [
      'increments that hold back what keep would remove',
      '  keep: 3\n  messages: { format: ndjson, incremental: true }\n  contacts: { format: csv }\n  expect: { contacts: { min: 1 } }\n',
      'keep: 3 removes nothing while each export follows the one before it; --compact or --full from time to time lets the older ones go',
    ],
  ])('%s', async (_what, settings, note) => {
    const notes = (await found(least + settings)).filter((line) => line.startsWith('note'));
    expect(notes).toEqual([`note: ${note}`]);
  });
});

test('a folder that cannot be made is wrong, with its place', async () => {
  const contacts = '  contacts: { format: csv }\n';
  writeFileSync(join(folder.path, 'plain.txt'), '');
  expect(await found(`  to: plain.txt/{date}\n${contacts}`)).toContain(
    `wrong: 3:3 ${join(folder.path, 'plain.txt')} is not a folder`,
  );
  expect(await found(`  to: plain.txt/deeper/{date}\n${contacts}`)).toContain(
    `wrong: 3:3 ${join(folder.path, 'plain.txt', 'deeper')} is not a folder`,
  );
});

// Nothing is forbidden to the superuser.
test.skipIf(process.getuid?.() === 0)('a folder that is not ours is wrong', async () => {
  mkdirSync(join(folder.path, 'theirs'));
  chmodSync(join(folder.path, 'theirs'), 0o500);
  expect(await found('  to: theirs/deep/{date}\n  contacts: { format: csv }\n')).toContain(
    `wrong: 3:3 ${join(folder.path, 'theirs')} is not writable by this user`,
  );
});

describe('online', () => {
  const people = typeof seed === 'string' ? {} : seed;
  const channels = [{ id: 12, templates: [{ id: 1, name: 'hello' }] }, { id: 13 }];

  test('says how many contacts there are, and what the interface does not list', async () => {
    const { workspace, writes } = await live({ seed: { ...people, channels } });
    const settings = `${least}  contacts: { format: csv, filter: { lifecycle: { isEqualTo: New Lead } } }
  templates: { channels: [12, 13] }
  expect: { contacts: { min: 2 } }
`;
    expect((await found(settings, workspace)).slice(3)).toEqual([
      `ok: workspace ${workspace.baseUrl}: token accepted, 5 custom fields`,
      'ok: the token has permission for GET /space/user, GET /space/custom_field, POST /contact/list',
      'ok: channel 12 has templates',
      'note: channel 13 has no templates',
      'note: the API does not list lifecycle stages: check "New Lead" by the contacts that are found',
      'note: 1 contact in total matches the filter; expect.contacts requires at least 2: the export would end with exit code 4',
    ]);
    expect(await found(`${least}  messages: { format: ndjson }\n`, workspace)).toContain(
      'ok: 4 contacts in total',
    );
    // Reading contacts by a filter is a POST, too.
    expect(writes().every(([request]) => request.startsWith('POST /contact/list'))).toBe(true);
  });

  test('says of more than a page that there are more', async () => {
    const contacts = Array.from({ length: 120 }, (_, index) => ({ firstName: `P${index}` }));
    const { workspace } = await live({ seed: { contacts } });
    expect(await found(`${least}  contacts: { format: csv }\n`, workspace)).toContain(
      'ok: 99 contacts on the first page, and more follow',
    );
  });

  test('custom fields of columns and filters must be there, and of the type that the operator wants', async () => {
    const { workspace } = await live({ seed: { ...people, channels } });
    const settings = `${least}  contacts:
    format: csv
    columns: { Score: customFields.Scor, Note: customFields.Note }
    filter:
      - customFields.Scroe: { exists: true }
      - customFields.Note: { isGreaterThan: 5 }
      - customFields.VIP: { isEqualTo: "yes" }
      - customFields.Score: { isGreaterThan: many }
      - customFields.Plan: { isEqualTo: golden }
      - customFields.No such field: { exists: true }
  templates: { channels: [99] }
`;
    const wrong = (await found(settings, workspace)).filter((line) => line.startsWith('wrong'));
    expect(wrong).toEqual([
      'wrong: 6:16 the workspace has no custom field "Scor"; did you mean "Score"?',
      'wrong: 8:31 the workspace has no custom field "Scroe"; did you mean "Score"?',
      'wrong: 9:30 isGreaterThan cannot be used with the custom field "Note" (text); use isEqualTo, isNotEqualTo, exists, doesNotExist, hasAnyOf, hasAllOf, hasNoneOf',
      'wrong: 10:29 the custom field "VIP" (checkbox) is true or false, never "yes"',
      'wrong: 11:31 the custom field "Score" (number) is a number, never "many"',
      'wrong: 12:30 the custom field "Plan" (list) is never "golden"; did you mean "gold"?',
      'wrong: 13:39 the workspace has no custom field "No such field"',
      expect.stringMatching(/^wrong: 14:27 the templates of channel 99 cannot be read: /),
      expect.stringMatching(/^wrong: 7:5 the workspace cannot list contacts this way: Validation error/),
    ]);
  });

  test('a name that may be a slug is left to the workspace', async () => {
    const customFields = [{ name: 'Big Plan', slug: 'big_plan', dataType: 'text' as const }];
    const { workspace } = await live({ seed: { customFields } });
    const settings = `${least}  contacts: { format: csv, filter: { customFields.big_plan: { exists: true } } }\n`;
    expect((await found(settings, workspace)).filter((line) => !line.startsWith('ok'))).toEqual([
      'note: no custom field is named "big_plan"; it may be a slug, which the workspace does not list',
      'note: 0 contacts in total match the filter',
    ]);
  });

  /** Conditions with several values, and what the specification's strict reading says of each. */
  const forms: readonly (readonly [filter: string, form: string, strictly: string])[] = [
    ['{ tags: { hasAnyOf: [vip, partner] } }', 'a list', 'a text; write hasAnyOf: "vip,partner"'],
    ['{ tags: { hasNoneOf: [vip] } }', 'a list', 'a text; write hasNoneOf: "vip"'],
    ['{ id: { isBetween: { from: 1, to: 5 } } }', '{ from, to }', 'a text; write isBetween: "1,5"'],
    [
      '{ created_at: { isTimestampBetween: { from: 2026-01-01, to: 2026-02-01 } } }',
      '{ from, to }',
      'a text; write isTimestampBetween: "2026-01-01,2026-02-01"',
    ],
  ];

  test.each(forms)('tries %s: which form the workspace takes', async (filter, form, strictly) => {
    const operator = /(\w+): [[{]/.exec(filter.slice(filter.indexOf(':') + 1).slice(2))?.[1];
    const settings = `${least}  contacts: { format: csv, filter: ${filter} }\n`;
    const { workspace } = await live({ strict: false });
    expect(await found(settings, workspace)).toContain(`ok: ${operator}: the workspace accepts ${form}`);
    const strict = await live({ strict: true });
    const wrong = (await found(settings, strict.workspace)).filter((line) => line.startsWith('wrong'));
    expect(wrong).toEqual([expect.stringMatching(/^wrong: 4:\d+ /)]);
    expect(wrong[0]).toContain(`the workspace refuses ${operator} with ${form} and accepts ${strictly}`);
  });

  test('tries a text as a list or a range where the workspace refuses it', async () => {
    const { workspace } = await live({ strict: false });
    const settings = (filter: string) => `${least}  contacts: { format: csv, filter: ${filter} }\n`;
    expect(await found(settings('{ tags: { hasAllOf: "vip,partner" } }'), workspace)).toContain(
      'ok: hasAllOf: the workspace accepts a text',
    );
    expect(await found(settings('{ id: { isBetween: "5" } }'), workspace)).toContain(
      'wrong: 4:44 the workspace refuses isBetween with a text and accepts { from, to }; write isBetween: { from: "5", to: "5" }',
    );
  });

  test('says why where neither form is taken, and suggests none that would mean something else', async () => {
    const { workspace } = await live({ strict: true });
    const settings = (filter: string) => `${least}  contacts: { format: csv, filter: ${filter} }\n`;
    const says = async (filter: string) =>
      (await found(settings(filter), workspace)).filter((line) => line.startsWith('wrong'));
    expect(await says('{ tags: { hasAnyOf: ["a,b", c] } }')).toEqual([
      'wrong: 4:46 the workspace refuses hasAnyOf with a list: Validation error. value must be text',
    ]);
    expect(await says('{ created_at: { isBetween: "yesterday,today" } }')).toEqual([
      expect.stringMatching(/refuses isBetween with a text: Validation error\. "yesterday" is no timestamp/),
    ]);
  });
});
