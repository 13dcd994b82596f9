import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRecordingWorkspace } from '../../../src/app/rehearse/rehearse.ts';
import type { RunEvent } from '../../../src/app/run/events.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
} from '../../../src/workspace/index.ts';
import { type RealImport, realImport } from '../import/real-import.ts';
import { rehearsed, rehearsesWhatIsDone } from './real-rehearsal.ts';

const mapping = `mapping: port
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  email: { from: Email }
  phone: { from: Phone, country: MY, onInvalid: drop }
customFields:
  Score: { from: Score, type: number }
  Plan: { from: Plan, type: text, create: true }
tags: { from: Tags, split: ";", attach: extension }
lifecycle: { from: Stage }
assignee: { from: Owner }
conversation: { status: closed, existing: true }
comments:
  existing: send
  entries: [{ name: origin, text: "Record {Id}" }]
`;

const settings = [
  '  policy: { onConflict: merge }',
  '  extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }',
  '  limits: { concurrency: 1 }',
];

const header = 'Id,Name,Email,Phone,Score,Plan,Tags,Stage,Owner';
const lines = [
  header,
  '1,Ada,ada@example.test,,5,gold,vip;new,Customer,1',
  '2,Bob,bob@example.test,,,,,,',
  '3,Cy,cy@example.test,,1,,vip,New Lead,2',
  // Two contacts of before are this person: a merge.
  '4,Dee,dee@example.test,+60123456789,,,,,',
  '5,Ed,not an address,,,,,,',
];

const seed = {
  customFields: [
    { id: 3, name: 'Score', dataType: 'number' as const },
    { id: 8, name: 'Old', dataType: 'text' as const },
  ],
  tags: [{ name: 'vip' }],
  contacts: [
    { id: 7, firstName: 'Ada', email: 'ada@example.test', lifecycle: 'New Lead', tags: ['vip', 'old'] },
    { id: 20, firstName: 'Dee', email: 'dee@example.test', custom_fields: [{ name: 'Old', value: 'x' }] },
    { id: 21, firstName: 'D', phone: '+60123456789', assignee: 'owner@sandbox.test', tags: ['c'] },
    { id: 30, firstName: 'Nobody', email: 'nobody@example.test' },
  ],
};

const opened = (all: readonly string[] = lines) =>
  realImport(mapping, all, settings, '', { seed, extensions: { attachTags: true } });

it('leaves what the import leaves: created, updated, merged, and every step; so does a delta after it', async () => {
  const real = await opened();
  const first = await rehearsesWhatIsDone(real);
  expect(first.rows).toMatchObject({ created: 2, updated: 1, merged: 1, rejected: 1 });
  expect(first.left.contacts['21']).toBeUndefined();
  expect(Object.keys(first.left.contacts)).toEqual(
    expect.arrayContaining(['7', '20', '21', 'new 1', 'new 2']),
  );
  expect(first.left.comments).toHaveLength(4);
  // The next file: one changed, one new, the others as they were.
  real.write([
    ...lines.slice(0, 4),
    '4,Dee,dee@example.test,+60123456789,,gold,,,',
    '6,Flo,flo@example.test,,,,,,',
  ]);
  const delta = await rehearsesWhatIsDone(real);
  expect(delta.rows).toMatchObject({ created: 1, updated: 1, unchanged: 3 });
  expect(Object.keys(delta.left.contacts).sort()).toEqual(['20', 'new 1']);
  expect(delta.left.comments).toEqual(['Record 6']);
});

it('copies whom the import reads, and everybody where that is asked for', async () => {
  const real = await opened();
  // A list of contacts is read in no rehearsal of it.
  writeFileSync(real.pipelineFile, yamlWith(real, 'lookup: single'));
  expect((await rehearsed(real)).rehearsal.copied).toBe(3);
  expect((await rehearsed(real, { all: true })).rehearsal.copied).toBe(4);
  // Then an unchanged file reads nobody.
  await real.import();
  expect((await rehearsed(real)).rehearsal.copied).toBe(0);
});

function yamlWith(real: RealImport, policy: string): string {
  const settingsWith = settings.map((line) =>
    line.replace('onConflict: merge', `onConflict: merge, ${policy}`),
  );
  const source = `  source: { format: csv, path: ${join(real.folder, 'rows.csv')} }`;
  return ['pipeline: real', 'import:', source, '  mapping: mapping.yaml', ...settingsWith, ''].join('\n');
}

it('takes contacts as they are, whatever a local workspace would accept', async () => {
  const real = await opened([header, '1,Ada,ada@example.test,,5,,,,1']);
  const odd = { phone: '12', countryCode: 'Narnia', language: 'xx-YY', status: 'blocked', profilePic: 'no' };
  const customs = [{ name: 'Score', value: 'many' }];
  const assignee = { id: 99, firstName: 'Gone', lastName: 'User', email: '' };
  const stop = new AbortController();
  const live = real.open(stop.signal);
  onTestFinished(() => live.close(0));
  // What this workspace cannot have another one shows.
  const workspace = {
    ...live,
    through: (decorate: Parameters<typeof live.through>[0]) =>
      live.through((call) =>
        decorate(async (endpoint, request, options) => {
          const answer = await call(endpoint, request, options);
          if (endpoint.operation !== 'contacts.read' || answer.kind !== 'ok') return answer;
          const shown = Object.assign({}, answer.value, odd, {
            custom_fields: customs,
            assignee,
            created_at: null,
          });
          return { kind: 'ok', value: endpoint.response.parse(shown) };
        }),
      ),
  };
  const { contacts, rows } = await rehearsed(real, { workspace });
  expect(rows).toMatchObject({ updated: 1 });
  expect(contacts['7']).toMatchObject({ ...odd, assignee: { id: 1 } });
  expect(contacts['7']?.custom_fields).toEqual([{ name: 'Score', value: '5' }]);
});

it('takes the time of the rate limit, to the second, whatever this machine takes', async () => {
  const tags = Array.from({ length: 40 }, (_, n) => `tag${n}`);
  const real = await realImport(
    'mapping: tags\nkey: Id\ncontact: { firstName: { from: Name }, email: { from: Email } }\ntags: { from: Tags, split: ";", attach: file }\n',
    ['Id,Name,Email,Tags', ...tags.map((tag, n) => `${n},Ann,ann${n}@example.test,${tag}`)],
  );
  const stop = new AbortController();
  // By a clock that stands still answers take no time.
  const workspace = openWorkspace({
    ...{
      baseUrl: real.sandbox.baseUrl,
      token: 'sandbox',
      limits: defaultWorkspaceLimits,
      signal: stop.signal,
    },
    clock: { now: () => 1_700_000_000_000, sleep: systemClock.sleep },
    randomness: systemRandomness,
  });
  onTestFinished(() => workspace.close(0));
  const { rehearsal, rows } = await rehearsed(real, { workspace });
  expect(rows.created).toBe(40);
  expect(rehearsal.requests).toMatchObject({ 'PUT /space/tag': 40, 'POST /space/tag': 40 });
  // Five at once, then five a second.
  expect(rehearsal.seconds).toBeGreaterThanOrEqual((40 - 5) / 5);
  expect(rehearsal.seconds).toBeLessThan(((40 - 5) / 5) * 1.06);
});

it('that was stopped is none, and leaves nothing', async () => {
  const real = await opened();
  const stop = new AbortController();
  const interrupted = new FatalError('interrupted', 'interrupted by SIGINT.', { signal: 'SIGINT' });
  const listen = (event: RunEvent) => {
    if (event.kind === 'started' && event.only === 'rehearsed') stop.abort(interrupted);
  };
  await expect(rehearsed(real, { stop, listen })).rejects.toBe(interrupted);
  expect(readdirSync(join(real.folder, 'work', 'spool'))).toEqual([]);
});

it('that would stop at its error budget says so, as the import does', async () => {
  const bad = [header, '1,A,nope,,,,,,', '2,B,nope,,,,,,', '3,C,nope,,,,,,'];
  const strict = ['  policy: { maxErrors: 1 }', ...settings.slice(1)];
  const real = await realImport(mapping, bad, strict, '', { seed });
  const { exitCode, rehearsal } = await rehearsed(real);
  expect([exitCode, rehearsal.end.error?.reason]).toEqual([4, 'budget']);
});

it('reads and nothing else can be asked of the workspace', async () => {
  const real = await opened();
  const stop = new AbortController();
  const live = real.open(stop.signal);
  onTestFinished(() => live.close(0));
  const workspace = createRecordingWorkspace(live, { contact: () => undefined, listEnded: () => undefined });
  await expect(workspace.tags.create({ name: 'x' })).rejects.toThrow('tags.create writes');
  await expect(workspace.contacts.comment({ kind: 'id', value: '7' }, 'x')).rejects.toThrow('only read');
  const through = workspace.through((call) => call);
  await expect(through.contacts.setLifecycle({ kind: 'id', value: '7' }, 'x')).rejects.toThrow('only read');
  expect(real.sandbox.log).toEqual([]);
});
