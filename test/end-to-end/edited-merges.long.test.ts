import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { isLong } from '../long.ts';
import { run } from './in-process.ts';
import { killedUntilFinal } from './killed-until-final.ts';
import { moments, ProcessKiller } from './process-killer.ts';
import { atScene, contactWith, customField, type Report, type Scene, type SceneOptions } from './scene.ts';

const mapping = `mapping: merges
key: ID
contact:
  firstName: { from: First }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  City: { from: City, type: text }
`;

/** One row whose e-mail is the older contact and whose phone the younger one. */
const play: SceneOptions = {
  mapping,
  rows: [{ ID: 'M0', First: 'ann', Email: 'ann@example.com', Phone: '+12015550300', City: '1-2' }],
  settings: { limits: { settle: '2s' } },
  seed: {
    customFields: [
      { name: 'City', dataType: 'text' },
      { name: 'Score', dataType: 'number' },
      { name: 'Size', dataType: 'list', allowedValues: ['S', 'M'] },
    ],
    contacts: [
      {
        id: 10,
        firstName: 'Ann',
        email: 'ann@example.com',
        language: 'en',
        created_at: 1_700_000_000,
        custom_fields: [{ name: 'Score', value: 7 }],
      },
      { id: 50, firstName: 'A.', lastName: 'Doe', phone: '+12015550300', created_at: 1_700_000_001 },
    ],
  },
};

/** Approves the proposal with these cells in the place of its own; returns the path of the file. */
function approve(scene: Scene, { csv }: Report, cells: Readonly<Record<string, string>>): string {
  const lines = (csv('merge-proposals.csv') ?? []).map((line) => ({ ...line, approve: 'yes', ...cells }));
  const path = join(scene.path, 'approved.csv');
  writeFileSync(path, stringify(lines, { header: true }));
  return path;
}

function merged({ sandbox }: Scene): object {
  const contact = contactWith(sandbox, 10);
  const { firstName, lastName, email, phone, language } = contact;
  const [City, Score, Size] = ['City', 'Score', 'Size'].map((name) => customField(contact, name));
  return { firstName, lastName, email, phone, language, City, Score, Size };
}

const proposed = {
  firstName: 'ann',
  lastName: 'Doe',
  email: 'ann@example.com',
  phone: '+12015550300',
  language: 'en',
  City: '1-2',
  Score: '7',
  Size: null,
};

const edits = {
  'result.firstName': 'Ann',
  'result.lastName': ' Roe ',
  'result.email': 'ann.roe@example.org',
  'result.phone': '+1 201 555 0399',
  'result.language': '',
  'result.customFields.City': '',
  'result.customFields.Score': '8.5',
  'result.customFields.Size': 'M',
};

const asEdited = {
  firstName: 'Ann',
  lastName: 'Roe',
  email: 'ann.roe@example.org',
  phone: '+12015550399',
  language: null,
  City: null,
  Score: '8.5',
  Size: 'M',
};

describe('an approved merge whose result a person has edited', () => {
  it.concurrent('gives the contact what the file says, once, and the next import leaves it', () =>
    atScene(play, async (scene) => {
      const path = approve(scene, await scene.import(), edits);
      const report = await scene.import('--approve', path);
      expect(report).toMatchObject({ code: 0, rows: { read: 1, merged: 1 } });
      expect(scene.writes()).toEqual(['POST /contact/merge']);
      expect(merged(scene)).toEqual(asEdited);
      expect(await scene.import()).toMatchObject({ code: 0, rows: { unchanged: 1 } });
      expect(scene.writes()).toEqual(['POST /contact/merge']);
      expect(merged(scene)).toEqual(asEdited);
      expect(scene.sandbox.contacts()).toHaveLength(1);
      const verified = await run(
        [
          'verify',
          report.run,
          '--json',
          '--workspace',
          scene.sandbox.baseUrl,
          '--work-dir',
          join(scene.path, 'work'),
        ],
        { LONGSHORE_TOKEN: 'sandbox' },
      );
      expect(verified).toMatchObject({ code: 0, stderr: '' });
    }));

  it.concurrent.each(moments.filter((moment) => isLong || moment === 'applied'))(
    'is merged once as edited, killed when the merge was %s',
    async (moment) => {
      const killer = new ProcessKiller(moment, [{ method: 'POST', template: '/contact/merge' }]);
      await atScene({ ...play, onPhase: killer.onPhase }, async (scene) => {
        const path = approve(scene, await scene.import(), edits);
        const report = await killedUntilFinal(scene, killer, '--approve', path);
        expect(report).toMatchObject({ code: 0, rows: { merged: 1 } });
        expect(scene.sandbox.counts()['POST /contact/merge']).toMatchObject({ applied: 1 });
        expect(merged(scene)).toEqual(asEdited);
        expect(scene.sandbox.contacts()).toHaveLength(1);
      });
    },
  );

  it.concurrent('is what was proposed where only a spreadsheet has rewritten it', () =>
    atScene(play, async (scene) => {
      const rewritten = { City: '01-Feb', Score: '7,0' };
      const cells = {
        'row.customFields.City': rewritten.City,
        'result.customFields.City': rewritten.City,
        'contact_1.customFields.Score': rewritten.Score,
        'result.customFields.Score': rewritten.Score,
        'result.phone': '12015550300',
        'result.lastName': 'Doe\r\n',
      };
      const path = approve(scene, await scene.import(), cells);
      expect(await scene.import('--approve', path)).toMatchObject({ code: 0, rows: { merged: 1 } });
      expect(merged(scene)).toEqual(proposed);
    }));

  it.concurrent('is refused as a whole where a cell cannot be a value of its field, and nothing is sent', () =>
    atScene(play, async (scene) => {
      const report = await scene.import();
      const refused = async (column: string, cell: string, says: string) => {
        const path = approve(scene, report, { [column]: cell });
        const ended = await scene.start('import', join(scene.path, 'pipeline.yaml'), '--approve', path).ended;
        expect(ended).toMatchObject({ code: 2, stdout: '' });
        expect(ended.stderr).toContain(`approved.csv:2 (${column}): ${says}`);
      };
      await refused('result.email', 'ann at home', '"ann at home" under "result.email" is not valid: ');
      await refused('result.customFields.Size', 'XL', '"XL" under "result.customFields.Size" is not valid: ');
      await refused(
        'result.firstName',
        '',
        '"result.firstName" is empty, and a merge must send a first name.',
      );
      await refused(
        'result.phone',
        '1.2015E+10',
        '"1.2015E+10" under "result.phone" cannot be taken: a spreadsheet has',
      );
      expect(scene.writes()).toEqual([]);
      // The refusals have left no run behind that would have to be continued.
      const path = approve(scene, report, {});
      expect(await scene.import('--approve', path)).toMatchObject({ code: 0, rows: { merged: 1 } });
      expect(merged(scene)).toEqual(proposed);
    }));
});
