import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { isLong } from '../long.ts';
import { killedUntilFinal } from './killed-until-final.ts';
import { moments, ProcessKiller } from './process-killer.ts';
import { atScene, contactWith, customField, edit, type InputRow, type Report, type Scene } from './scene.ts';

const mapping = `mapping: merges
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  City: { from: City, type: text }
`;

const email = (n: number) => `person${n}@example.com`;
const phone = (n: number) => `+120155503${String(n).padStart(2, '0')}`;

/** Contact 10 + n has the e-mail of row n, contact 50 + n, which is younger, its phone. */
function pairs(count: number) {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const rows: InputRow[] = numbers.map((n) => ({
    ID: `M${n}`,
    First: `Row${n}`,
    Last: '',
    Email: email(n),
    Phone: phone(n),
    City: `Town${n}`,
  }));
  const contacts = numbers.flatMap((n) => [
    {
      id: 10 + n,
      firstName: `ROW${n}`,
      email: email(n),
      created_at: 1_700_000_000,
      custom_fields: [{ name: 'Note', value: `note ${n}` }],
    },
    {
      id: 50 + n,
      firstName: `Phone${n}`,
      lastName: `Last${n}`,
      phone: phone(n),
      created_at: 1_700_000_001,
      custom_fields: [{ name: 'City', value: `Old${n}` }],
    },
  ]);
  const customFields = ['City', 'Note'].map((name) => ({ name, dataType: 'text' as const }));
  return { mapping, rows, seed: { customFields, contacts }, settings: { limits: { settle: '2s' } } };
}

/** Row n's person after the merge. */
function merged({ sandbox }: Scene, n: number): object {
  const contact = contactWith(sandbox, 10 + n);
  const { firstName, lastName, email, phone } = contact;
  const [City, Note] = [customField(contact, 'City'), customField(contact, 'Note')];
  return { firstName, lastName, email, phone, City, Note };
}

const wanted = (n: number) => ({
  firstName: `Row${n}`,
  lastName: `Last${n}`,
  email: email(n),
  phone: phone(n),
  City: `Town${n}`,
  Note: `note ${n}`,
});

const ids = ({ sandbox }: Scene) => sandbox.contacts().map(({ id }) => id);
const mergesOf = ({ sandbox }: Scene) => sandbox.counts()['POST /contact/merge'];

/** Writes yes into the proposals of those rows, as a person in a spreadsheet would; returns the file's path. */
function approve(scene: Scene, { csv }: Report, ...keys: readonly string[]): string {
  const lines = csv('merge-proposals.csv') ?? [];
  const decided = lines.map((line) => ({ ...line, approve: keys.includes(line._key ?? '') ? 'yes' : '' }));
  const path = join(scene.path, 'merge-proposals.csv');
  writeFileSync(path, stringify(decided, { header: true }));
  return path;
}

describe('a row whose e-mail is one contact and whose phone is another', () => {
  it('is proposed under the default policy, both contacts side by side, and nothing is sent', async () => {
    await atScene(pairs(2), async (scene) => {
      const before = scene.sandbox.contacts();
      const report = await scene.import();
      expect(report).toMatchObject({ code: 3, rows: { read: 2, proposed: 2 } });
      expect(scene.writes()).toEqual([]);
      expect(scene.sandbox.contacts()).toEqual(before);

      const proposals = report.csv('merge-proposals.csv') ?? [];
      expect(proposals.map(({ _line }) => _line)).toEqual(['2', '3']);
      const columns = Object.keys(proposals[0] ?? {});
      expect(columns.slice(0, 5)).toEqual(['approve', '_line', '_key', 'contact_1_id', 'contact_2_id']);
      for (let n = 5; n < columns.length; n += 4) {
        const field = columns[n]?.replace('contact_1.', '');
        const four = ['contact_1', 'contact_2', 'row', 'result'].map((whose) => `${whose}.${field}`);
        expect(columns.slice(n, n + 4)).toEqual(four);
      }
      const [first = {}] = proposals;
      expect(first.approve).toBe('');
      expect(first._key).toBe('M0');
      expect([first.contact_1_id, first.contact_2_id].sort()).toEqual(['10', '50']);
      const [mail, other] =
        first.contact_1_id === '10' ? ['contact_1', 'contact_2'] : ['contact_2', 'contact_1'];
      expect(first).toMatchObject({
        [`${mail}.email`]: email(0),
        [`${other}.email`]: '',
        'row.email': email(0),
        'result.email': email(0),
        [`${mail}.phone`]: '',
        [`${other}.phone`]: phone(0),
        'row.phone': phone(0),
        'result.phone': phone(0),
        [`${mail}.lastName`]: '',
        [`${other}.lastName`]: 'Last0',
        'row.lastName': '',
        'result.lastName': 'Last0',
        'row.firstName': 'Row0',
        'result.firstName': 'Row0',
      });
    });
  });

  it('is merged once where it was approved, is stale where a contact has changed since, and else stays', async () => {
    await atScene(pairs(3), async (scene) => {
      const file = approve(scene, await scene.import(), 'M0', 'M1');
      await edit(scene.sandbox, 51, { lastName: 'Married' });
      const before = [11, 12, 51, 52].map((id) => contactWith(scene.sandbox, id));
      scene.sandbox.resetLog();
      const report = await scene.import('--approve', file);
      expect(scene.writes()).toEqual(['POST /contact/merge']);
      expect(ids(scene)).toEqual([10, 11, 12, 51, 52]);
      expect(merged(scene, 0)).toEqual(wanted(0));
      expect([11, 12, 51, 52].map((id) => contactWith(scene.sandbox, id))).toEqual(before);
      expect(report.rows).toMatchObject({ merged: 1, stale: 1, failed: 0, rejected: 0, uncertain: 0 });

      // The same file once more: there is nothing left of it to carry out.
      await scene.start('import', join(scene.path, 'pipeline.yaml'), '--approve', file).ended;
      expect(scene.writes()).toEqual(['POST /contact/merge']);
    });
  });

  it.concurrent.each(['dropBefore', 'dropAfter', '500After'] as const)(
    'is merged once where the answer is lost by %s',
    async (kind) => {
      await atScene(pairs(1), async (scene) => {
        const file = approve(scene, await scene.import(), 'M0');
        scene.sandbox.scriptFault({ method: 'POST', path: '/contact/merge', kind });
        const report = await scene.import('--approve', file);
        expect(report).toMatchObject({ code: 0, rows: { merged: 1, uncertain: 0 } });
        expect(mergesOf(scene)).toMatchObject({ applied: 1, requests: kind === 'dropBefore' ? 2 : 1 });
        expect(ids(scene)).toEqual([10]);
        expect(merged(scene, 0)).toEqual(wanted(0));
      });
    },
  );

  it.concurrent.each(moments.filter((moment) => isLong || moment === 'applied'))(
    'is merged once, killed when the approved merge was %s',
    async (moment) => {
      const killer = new ProcessKiller(moment, [{ method: 'POST', template: '/contact/merge' }]);
      await atScene({ ...pairs(1), onPhase: killer.onPhase }, async (scene) => {
        const file = approve(scene, await scene.import(), 'M0');
        const report = await killedUntilFinal(scene, killer, '--approve', file);
        expect(report).toMatchObject({ code: 0, rows: { merged: 1, uncertain: 0 } });
        expect(mergesOf(scene)).toMatchObject({ applied: 1, requests: moment === 'lost' ? 2 : 1 });
        expect(ids(scene)).toEqual([10]);
        expect(merged(scene, 0)).toEqual(wanted(0));
      });
    },
  );

  it('is never merged by itself where it leads to more than two contacts, but proposed in pairs', async () => {
    const { seed, ...rest } = pairs(1);
    const third = { id: 90, firstName: 'Third', phone: phone(0), created_at: 1_700_000_002 };
    const play = {
      ...rest,
      seed: { ...seed, contacts: [...seed.contacts, third] },
      settings: { policy: { onConflict: 'merge', lookup: 'snapshot' } },
    };
    await atScene(play, async (scene) => {
      const report = await scene.import();
      expect(report).toMatchObject({ code: 3, rows: { read: 1, proposed: 1 } });
      expect(scene.writes()).toEqual([]);
      const proposed = (report.csv('merge-proposals.csv') ?? []).flatMap((line) => [
        line.contact_1_id,
        line.contact_2_id,
      ]);
      expect(new Set(proposed)).toEqual(new Set(['10', '50', '90']));
      expect(proposed.length).toBeGreaterThanOrEqual(4);
    });
  });

  it('is proposed where a snapshot shows several contacts under one identifier', async () => {
    const { seed, rows, ...rest } = pairs(1);
    const twin = { id: 91, firstName: 'ROW0', email: email(0), created_at: 1_700_000_002 };
    const contacts = [...seed.contacts.filter(({ id }) => id === 10), twin];
    const play = { ...rest, rows, seed: { ...seed, contacts }, settings: { policy: { lookup: 'snapshot' } } };
    await atScene(play, async (scene) => {
      const report = await scene.import();
      expect(report).toMatchObject({ code: 3, rows: { read: 1, proposed: 1 } });
      expect(scene.writes()).toEqual([]);
      const [first = {}] = report.csv('merge-proposals.csv') ?? [];
      expect([first.contact_1_id, first.contact_2_id].sort()).toEqual(['10', '91']);
    });
  });
});
