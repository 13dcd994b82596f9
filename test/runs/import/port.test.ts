import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type RealImport, realImport } from './real-import.ts';
import { type KeptBack, RecordingWorkspace } from './recording-workspace.ts';

const mapping = `mapping: port
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  email: { from: Email }
  phone: { from: Phone, country: MY, onInvalid: drop }
customFields:
  Score: { from: Score, type: number }
tags: { from: Tags, split: ";", attach: extension }
lifecycle: { from: Stage }
conversation: { status: closed, existing: true }
comments:
  existing: send
  entries: [{ name: origin, text: "Record {Id}" }]
`;

const settings = [
  '  policy: { onConflict: merge }',
  '  extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }',
];

const lines = [
  'Id,Name,Email,Phone,Score,Tags,Stage',
  '1,Ada,ada@example.test,,5,vip;new,Customer',
  '2,Bob,bob@example.test,,,,',
  '3,Cy,cy@example.test,,1,vip,New Lead',
  // Two contacts of before are this person: a merge.
  '4,Dee,dee@example.test,+60123456789,,,',
];

const seed = {
  customFields: [{ id: 1, name: 'Score', dataType: 'number' as const }],
  contacts: [
    { id: 7, firstName: 'Ada', email: 'ada@example.test', created_at: 20 },
    { id: 8, firstName: 'Dee', email: 'dee@example.test', created_at: 20 },
    { id: 9, firstName: 'D.', phone: '+60123456789', created_at: 10 },
  ],
};

/** The requests that reached the sandbox and could have changed something. */
function sentTo({ sandbox }: RealImport): KeptBack[] {
  return sandbox.log
    .filter(({ method, path }) => method !== 'GET' && !path.startsWith('/contact/list'))
    .map(({ method, path, body }) => ({ request: `${method} ${decodeURIComponent(path)}`, body }));
}

/** In one order, and without the ids that only the workspace gives. */
function comparable(writes: readonly KeptBack[]): readonly string[] {
  return writes
    .map(({ request, body }) => JSON.stringify([request.replace(/id:-?\d+/, 'id:N'), body]))
    .sort();
}

it('an import over a decorator of its port sends no write, and plans those that the real one sends', async () => {
  const real = await realImport(mapping, lines, settings, '', { seed, extensions: { attachTags: true } });
  const stop = new AbortController();
  const recording = new RecordingWorkspace(real.open(stop.signal));
  const workDir = join(real.folder, 'scratch');
  const before = real.sandbox.contacts();
  const planned = await real.import({ stop, workDir, workspace: recording.workspace });
  expect([planned.exitCode, planned.run.state]).toEqual([0, 'finished']);
  expect(sentTo(real)).toEqual([]);
  expect(real.sandbox.contacts()).toEqual(before);
  expect((await real.import()).exitCode).toBe(0);
  const sent = sentTo(real);
  expect(new Set(sent.map(({ request }) => request.replace(/^(\w+ .*?)[^/]*:[^/]*/, '$1{id}')))).toEqual(
    new Set([
      'PUT /space/tag',
      'POST /space/tag',
      'POST /contact/{id}',
      'PUT /contact/{id}',
      'POST /contact/merge',
      'POST /contact/{id}/tag',
      'POST /contact/{id}/lifecycle/update',
      'POST /contact/{id}/comment',
      'POST /contact/{id}/conversation/status',
    ]),
  );
  // Asking for a tag is a write here: the recording says of each that it is there, so nothing is created.
  const isTag = ({ request }: KeptBack) => request === 'POST /space/tag';
  expect(comparable(recording.writes)).toEqual(comparable(sent.filter((write) => !isTag(write))));
});
