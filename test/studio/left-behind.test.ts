import { expect, it, onTestFinished } from 'vitest';
import { checkResultSchema } from '../../src/studio/wire/schemas/check-result.ts';
import { losing, losingProject } from '../end-to-end/losing-project.ts';

it('what an import leaves behind comes to the page as check prints it', async () => {
  const project = await losingProject(Object.values(losing).flat(), '  deferred: [conversation]\n');
  onTestFinished(() => project.close());
  const printed = await project.json('check p.yaml --online');
  expect(printed.leftBehind.length).toBeGreaterThan(10);
  expect(checkResultSchema.parse(printed).leftBehind).toEqual(printed.leftBehind);
});
