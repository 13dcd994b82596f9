import { expect, it } from 'vitest';
import { storePlanDiff } from '../../../src/app/plan/diff.ts';
import { formatPlanCsv } from '../../../src/app/plan/plan-command.ts';
import { renderPlan } from '../../../src/app/plan/report/plan-text.ts';
import { readPlannedRows } from '../../../src/app/plan/samples.ts';
import { summarisePlan } from '../../../src/app/plan/summary.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { realImport } from '../import/real-import.ts';

const mapping = `mapping: owners
contact: { firstName: { from: Name }, email: { from: Email } }
assignee: { from: Owner, empty: clear }
`;

const lines = [
  'Name,Email,Owner',
  'Ada,ada@example.test,ann@example.test',
  'Bob,bob@example.test,Max',
  'Cy,cy@example.test,',
];

const seed = {
  users: [
    { id: 3, firstName: 'Ann', lastName: 'Agent', email: 'ann@example.test' },
    { id: 4, firstName: 'Max', lastName: '', email: 'max@example.test' },
  ],
  contacts: [
    { id: 7, firstName: 'Ada', email: 'ada@example.test', assignee: 'max@example.test' },
    { id: 8, firstName: 'Cy', email: 'cy@example.test', assignee: 'ann@example.test' },
  ],
};

it.each(['single', 'snapshot'])('users are named, whatever shows the plan (look-up: %s)', async (lookup) => {
  const real = await realImport(mapping, lines, [`  policy: { lookup: ${lookup} }`], '', { seed });
  const plan = await real.plan();
  const rows = [...readPlannedRows(plan.file, {})];
  const [ann, max] = ['Ann Agent <ann@example.test>', 'Max <max@example.test>'];
  const changes = rows.map((row) => row.changes.filter(({ step }) => step === 'assignee'));
  const step = { step: 'assignee', field: 'user' };
  expect(changes).toMatchObject([
    [{ ...step, from: max, to: ann }],
    [{ ...step, to: max }],
    [{ ...step, from: ann, to: null }],
  ]);
  const summary = summarisePlan(plan, (await loadImportPipeline(real.pipelineFile)).import.limits);
  expect(summary.steps).toEqual([
    {
      ...{ step: 'assignee', count: 3 },
      frequent: [
        { value: '(unassigned)', count: 1 },
        { value: ann, count: 1 },
        { value: max, count: 1 },
      ],
    },
  ]);
  const text = renderPlan(summary, { colour: false, samples: rows, diff: false, next: [] });
  expect(text).toContain(`${max} → ${ann}`);
  let csv = '';
  for await (const part of formatPlanCsv(rows)) csv += part;
  expect(csv).toContain(`assignee,user,${max},${ann}`);
  await storePlanDiff(plan.file, summary);
  const kept = plan.file.prepare("SELECT old, new FROM diff WHERE kind = 'assignee' ORDER BY n").all();
  expect(kept).toMatchObject([{ old: max, new: ann }, { new: max }, { old: ann, new: '' }]);
});

it('a plan of an older version, without names, shows the ids', async () => {
  const real = await realImport(mapping, lines, [], '', { seed });
  const plan = await real.plan();
  plan.file.exec('DROP TABLE user');
  const changes = [...readPlannedRows(plan.file, { line: 2 })].flatMap((row) => row.changes);
  expect(changes).toMatchObject([{ field: 'user', from: 'user 4', to: 'user 3' }]);
});
