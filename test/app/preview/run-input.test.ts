import { afterAll, describe, expect, it } from 'vitest';
import { type PreviewJob, type PreviewJobEvent, runPreviewJob } from '../../../src/app/preview/run-input.ts';
import { removeInputs, unstopped, written } from './given.ts';

afterAll(removeInputs);

const input = written(
  'people.csv',
  'Id,Name,Email,Plan\n1,Ada,ada@example.com,gold\n2,Bob,nothing,GOLD\n3,Cyd,cyd@example.com,\n',
);
const mapping = {
  file: 'people.yaml',
  text: `mapping: people
key: "TODO: Which column identifies a row?"
contact:
  firstName: { from: Name }
  email: { from: Email }
customFields:
  Plan: { from: Plan, type: text, values: { gold: Premium, silver: null } }
  Since:
    from: Since
    type: date
    formats: "TODO: Is 3/4 in March or in April?"
`,
};

async function told(job: PreviewJob): Promise<readonly PreviewJobEvent[]> {
  // As a process gets and gives them.
  const events: PreviewJobEvent[] = [];
  await runPreviewJob(
    JSON.parse(JSON.stringify(job)),
    (event) => events.push(JSON.parse(JSON.stringify(event))),
    unstopped,
  );
  return events;
}

describe('a job of an input', () => {
  it.each<[PreviewJob, object]>([
    [{ kind: 'look', input, rows: 2, seed: 0.1 }, { look: { format: 'csv', read: { ofRows: 3 } } }],
    [{ kind: 'columns', input }, { columns: { done: true, counted: 3 } }],
    [
      { kind: 'counts', input, mapping },
      { counts: { done: true, pass: 2, rejected: 1, asked: ['key', 'customFields.Since'] } },
    ],
    [
      {
        kind: 'rows',
        input,
        mapping,
        query: {
          problem: { code: 'email.invalid', effect: 'rejected' },
          ...{ cell: null, search: '', from: 0, limit: 9 },
        },
      },
      { rows: { next: null, done: true, share: 1, rows: [{ number: 1, line: 3 }] } },
    ],
    [
      { kind: 'row', input, mapping, row: { number: 1 } },
      { row: { trace: { line: 3, isRejected: true }, example: { rejects: 'email.invalid' } } },
    ],
    [
      { kind: 'values', input, mapping, target: 'customFields.Plan' },
      {
        values: {
          done: true,
          // As many as the statistics of the column have, which do not count the empty cell.
          distinct: { n: 2, atLeast: false },
          values: [
            { value: 'gold', n: 1 },
            { value: 'GOLD', n: 1 },
            { value: '', n: 1 },
          ],
          clusters: [{ by: 'words', spellings: [{ value: 'GOLD' }, { value: 'gold' }] }],
        },
      },
    ],
  ])('%o tells what it finds', async (job, expected) => {
    const events = await told(job);
    expect(events).toMatchObject([{ kind: job.kind, ...expected }]);
  });

  it('says what is wrong with the mapping, where it is', async () => {
    const text = mapping.text.replace('from: Email', 'form: Email');
    const [event] = await told({ kind: 'counts', input, mapping: { ...mapping, text } });
    expect(event).toMatchObject({ kind: 'refused', place: { file: 'people.yaml', line: 5 } });
  });

  it('says what is wrong with the input, and with a target that is not there', async () => {
    const missing = { ...input, path: `${input.path}.gone` };
    expect(await told({ kind: 'columns', input: missing })).toMatchObject([
      { kind: 'refused', next: expect.any(String) },
    ]);
    const values = await told({ kind: 'values', input, mapping, target: 'customFields.Gone' });
    expect(values).toMatchObject([{ kind: 'refused', place: { key: 'customFields.Gone' } }]);
  });

  it('ends with the reason of whoever aborts it', async () => {
    const stop = AbortSignal.abort(new Error('edited'));
    await expect(runPreviewJob({ kind: 'counts', input, mapping }, () => undefined, stop)).rejects.toThrow(
      'edited',
    );
  });
});
