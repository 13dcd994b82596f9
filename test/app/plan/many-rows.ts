import { createPlanFile, type PlanFacts, writePlanFacts } from '../../../src/app/run/plan-file.ts';
import type { SqliteConnection } from '../../../src/storage/sqlite.ts';

const usualFacts: PlanFacts = {
  ...{ pipeline: 'many', target: 'https://api.example.test/v1', place: 'https://api.example.test/v1' },
  ...{ input: 'input', mapping: 'mapping', selection: { kind: 'all' }, full: false, fresh: false },
  ...{ limit: null, continues: null, session: 0, madeAt: Date.UTC(2026, 2, 1) },
  ...{ beginMs: 0, tookMs: 0, busyMs: 0, sentReads: 0, leftBehind: [] },
};

/**
 * The file of a plan as planning leaves it, of so many rows: of each ten six update a contact (a name replaced, a field
 * filled, and every third of them another one cleared), two create one, one is as it should be and one is rejected.
 */
export function planOfMany(path: string, rows: number, facts: Partial<PlanFacts> = {}): SqliteConnection {
  const file = createPlanFile(path);
  file.exec('BEGIN');
  writePlanFacts(file, { ...usualFacts, ...facts });
  const row = file.prepare(
    'INSERT INTO row (seq, line, outcome, key, contact, problems) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const step = file.prepare('INSERT INTO step (seq, name, item, contact, intent) VALUES (?, ?, ?, ?, ?)');
  for (let seq = 0; seq < rows; seq += 1) {
    const [line, key, contact] = [seq + 2, `K-${seq}`, seq + 1];
    const kind = seq % 10;
    if (kind < 6) {
      row.run(seq, line, 'updated', key, contact, null);
      const changes = [
        { kind: 'contact', name: 'lastName', from: `Müller ${seq}`, to: `Muller-${seq}` },
        { kind: 'custom', name: 'Plan', from: null, to: seq % 2 === 0 ? 'gold' : 'silver' },
        ...(kind % 3 === 0 ? [{ kind: 'custom', name: 'Note', from: `see ${seq}`, to: '' }] : []),
      ];
      step.run(seq, 'update', '', contact, JSON.stringify({ contactId: contact, changes }));
    } else if (kind < 8) {
      row.run(seq, line, 'created', key, null, null);
      const body = { firstName: `New ${seq}`, email: `new${seq}@example.test` };
      step.run(seq, 'create', '', null, JSON.stringify({ body }));
    } else if (kind === 8) row.run(seq, line, 'unchanged', key, contact, null);
    else {
      const problems = [
        { code: 'email.invalid', column: 'Email', reason: `"at ${seq}" is not an e-mail address` },
      ];
      row.run(seq, line, 'rejected', key, null, JSON.stringify(problems));
    }
  }
  file.exec('COMMIT');
  return file;
}
