import { join } from 'node:path';
import { expect, it } from 'vitest';
import { atScene } from '../end-to-end/scene.ts';
import { atStudio } from './at-studio.ts';

const mapping = 'mapping: people\nkey: ID\ncontact: { firstName: { from: First }, email: { from: Email } }\n';
const rows = ['1', '2', ''].map((ID) => ({
  ID,
  First: ID && `Ann${ID}`,
  Email: ID && `ann${ID}@example.com`,
}));

it.each([
  [['skipEmpty'], { skipEmpty: true }],
  [['where'], { where: { ID: { not: null } } }],
  [['where', 'skipEmpty'], { where: { ID: { not: '9' } }, skipEmpty: true }],
] as const)('the status of a run that has left out rows says by what: %j', async (filters, options) => {
  const source = { format: 'csv', path: 'people.csv', ...options };
  await atScene({ mapping, rows, settings: { source } }, async (scene) => {
    const { run } = await scene.import();
    const { call } = await atStudio({ folder: scene.path, workDir: join(scene.path, 'work') });
    expect(await call('status', { run })).toMatchObject({ rows: { filtered: 1 }, filters });
  });
});
