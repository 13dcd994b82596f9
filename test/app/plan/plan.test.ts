import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderPlan } from '../../../src/app/plan/report/plan-text.ts';
import { summarisePlan } from '../../../src/app/plan/summary.ts';
import type { RunEvent } from '../../../src/app/run/events.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { isWrite, realImport } from '../import/real-import.ts';
import { planAndImport } from './generated.ts';
import { Creations } from './writes.ts';

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

it('shows a checkbox that changes in one spelling', async () => {
  const vip =
    'mapping: v\nkey: Id\ncontact:\n  firstName: { from: Id }\n  email: { from: Email }\ncustomFields:\n  VIP: { from: VIP, type: checkbox, create: true }\n';
  const people = (...cells: readonly string[]) => [
    'Id,Email,VIP',
    ...cells.map((cell, n) => `${n},p${n}@ex.test,${cell}`),
  ];
  const real = await realImport(vip, people('true', 'false'));
  await real.import();
  real.write(people('false', 'true'));
  const plan = await real.plan();
  const { limits } = (await loadImportPipeline(real.pipelineFile)).import;
  const text = renderPlan(summarisePlan(plan, limits), { colour: false, samples: [], diff: false, next: [] });
  expect(text).toContain('true → false (line 2), false → true (line 3)');
});

it('plans every kind of write that the import then sends, and sends none', async () => {
  const creations = new Creations();
  const options = { seed, extensions: { attachTags: true }, onPhase: creations.onPhase };
  const real = await realImport(mapping, lines, settings, '', options);
  creations.watch(real.sandbox);
  const before = real.sandbox.contacts();
  const plan = await real.plan();
  expect([plan.exitCode, plan.error]).toEqual([0, undefined]);
  expect(real.sandbox.contacts()).toEqual(before);
  expect(plan.rows).toMatchObject({ created: 2, updated: 1, merged: 1, notReached: 0 });
  await planAndImport(real, creations);
  const kinds = real.sandbox.log
    .filter(isWrite)
    .map(({ method, path }) => `${method} ${path.replace(/\/(id|email):[^/]+/, '/{id}')}`);
  expect(new Set(kinds)).toEqual(
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
});

it('leaves nothing behind, and no run in the journal', async () => {
  const real = await realImport(mapping, lines, settings, '', { seed, extensions: { attachTags: true } });
  const plan = await real.plan();
  expect(existsSync(join(real.folder, 'work', 'journal.db'))).toBe(false);
  await plan.remove();
  expect(readdirSync(join(real.folder, 'work', 'spool'))).toEqual([]);
});

it('that was interrupted is no plan: what it has so far says nothing of the import', async () => {
  const real = await realImport(mapping, lines, settings, '', { seed, extensions: { attachTags: true } });
  const stop = new AbortController();
  const interrupted = new FatalError('interrupted', 'interrupted by SIGINT.', { signal: 'SIGINT' });
  const listen = (event: RunEvent) => {
    if (event.kind === 'row') stop.abort(interrupted);
  };
  await expect(real.plan({ stop, listen })).rejects.toBe(interrupted);
  expect(readdirSync(join(real.folder, 'work', 'spool'))).toEqual([]);
});

it('finds who answers to a phone that the plan itself has taken from somebody else', async () => {
  const phones =
    'mapping: phones\ncontact: { firstName: { from: name }, email: { from: email }, phone: { from: phone, country: US } }\n';
  const seed = {
    contacts: [
      { id: 10, firstName: 'Ann', email: 'ann@example.test', phone: '+12015550101' },
      { id: 11, firstName: 'Bo', phone: '+12015550101' },
    ],
  };
  const rows = ['name,email,phone', 'Anna,ann@example.test,+12015550102', 'Bob,,+12015550101'];
  const settings = ['  policy: { lookup: single }', '  limits: { concurrency: 1 }'];
  const real = await realImport(phones, rows, settings, '', { seed });
  const { file } = await real.plan();
  const paths = file.prepare<[], string>('SELECT path FROM request').pluck().all();
  await real.import();
  const sent = real.sandbox.log.filter(isWrite).map(({ path }) => path);
  expect(sent).toEqual(['/contact/id:10', '/contact/id:11']);
  expect(paths).toEqual(sent);
});
