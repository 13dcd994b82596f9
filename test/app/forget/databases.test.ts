import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { forgetPersonInPlan, forgetPersonInWorkspaceCopy } from '../../../src/app/forget/databases.ts';
import { firstPlannedId, openPlanFile } from '../../../src/app/run/plan-file.ts';
import { createIdentifierRedactor } from '../../../src/journal/index.ts';
import { openSqlite } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { planOfMany } from '../plan/many-rows.ts';

it('a plan forgets the contacts of one person, and an import still recognises those of the others', () => {
  const { path: folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const path = join(folder, 'plan.db');
  const plan = planOfMany(path, 10);
  const contact = plan.prepare('INSERT INTO contact (id, email, phone, after) VALUES (?, ?, ?, ?)');
  const after = (email: string) => JSON.stringify({ firstName: 'New', email });
  contact.run(firstPlannedId, 'new6@example.test', null, after('new6@example.test'));
  contact.run(firstPlannedId + 1, 'new7@example.test', '+49151', after('new7@example.test'));
  contact.run(firstPlannedId + 2, null, '+4915120000001', null);
  contact.run(7, 'other@example.test', null, after('other@example.test'));
  plan.close();
  const isChanged = forgetPersonInPlan(path, {
    ...{ contacts: new Set([7]), keys: new Set(['K-6']), seqs: new Set([6]) },
    without: createIdentifierRedactor(['email:new6@example.test', 'phone:+4915120000001']),
  });
  expect(isChanged).toBe(true);
  const file = openPlanFile(path);
  expect(file.prepare('SELECT email FROM contact').pluck().all()).toEqual(['new7@example.test']);
  expect(file.prepare('SELECT seq FROM row ORDER BY seq').pluck().all()).toEqual([0, 1, 2, 3, 4, 5, 7, 8, 9]);
  file.close();
});

it('a copy of a workspace counts as changed where only messages name the person', () => {
  const { path: folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const path = join(folder, 'workspace.db');
  const copy = openSqlite(path);
  copy.exec('CREATE TABLE contact (id INTEGER PRIMARY KEY, json TEXT NOT NULL, messages TEXT)');
  copy.prepare('INSERT INTO contact VALUES (?, ?, ?)').run(1, '{"id":1}', '["write to ada@example.test"]');
  copy.close();
  const person = {
    ...{ contacts: new Set<number>(), keys: new Set<string>(), seqs: new Set<number>() },
    without: createIdentifierRedactor(['email:ada@example.test']),
  };
  expect(forgetPersonInWorkspaceCopy(path, person)).toBe(true);
  expect(forgetPersonInWorkspaceCopy(path, person)).toBe(false);
});
