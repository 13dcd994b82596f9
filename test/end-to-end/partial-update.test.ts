import { describe, expect, it } from 'vitest';
import { atScene, contactWith, customField, edit } from './scene.ts';

const mapping = `mapping: partial
key: ID
contact:
  firstName: { from: First }
  email: { from: Email }
customFields:
  City: { from: City, type: text }
  Score: { from: Score, type: number }
`;

const names = ['City', 'Score', 'Plan', 'Opted in', 'Rating', 'Since'];

const seed = {
  customFields: [
    { name: 'City', dataType: 'text' as const },
    { name: 'Score', dataType: 'number' as const },
    { name: 'Plan', dataType: 'list' as const, allowedValues: ['gold', 'silver'] },
    { name: 'Opted in', dataType: 'checkbox' as const },
    { name: 'Rating', dataType: 'number' as const },
    { name: 'Since', dataType: 'date' as const },
  ],
  contacts: [
    {
      id: 7,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      custom_fields: [
        { name: 'City', value: 'Rome' },
        { name: 'Plan', value: 'gold' },
        { name: 'Opted in', value: false },
        { name: 'Rating', value: 0 },
        { name: 'Since', value: '2019-02-28' },
      ],
    },
  ],
};

describe('an update that names some custom fields', () => {
  it.concurrent.each(['replace', 'merge'] as const)(
    'loses no other one, where the workspace takes a list to %s its own',
    async (customFieldArrays) => {
      const row = { ID: '1', First: 'Ada', Email: 'ada@example.com', City: 'Oslo', Score: '12' };
      await atScene({ mapping, rows: [row], seed, customFieldArrays }, async (scene) => {
        const { sandbox } = scene;
        const values = () => names.map((name) => customField(contactWith(sandbox, 7), name));
        expect(await scene.import()).toMatchObject({ code: 0, rows: { updated: 1 } });
        expect(values()).toEqual(['Oslo', '12', 'gold', 'false', '0', '2019-02-28']);

        // Between two runs somebody edits other fields, and one that the row has, too.
        await edit(sandbox, 7, { lastName: 'King' }, { City: 'Bergen', Plan: 'silver', Rating: '5' });
        scene.writeRows([{ ...row, Score: '13' }]);
        expect(await scene.import()).toMatchObject({ code: 0, rows: { updated: 1 } });
        expect(values()).toEqual(['Bergen', '13', 'silver', 'false', '5', '2019-02-28']);
        expect(contactWith(sandbox, 7).lastName).toBe('King');
      });
    },
  );

  it('sends nothing where only the spelling of a value differs', async () => {
    const row = { ID: '1', First: 'Ada', Email: 'ADA@Example.com', City: ' Rome', Score: '' };
    await atScene({ mapping, rows: [row], seed }, async (scene) => {
      expect(await scene.import()).toMatchObject({ code: 0, rows: { unchanged: 1 } });
      expect(scene.writes()).toEqual([]);
    });
  });
});
