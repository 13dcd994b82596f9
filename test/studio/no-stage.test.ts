import { expect, it } from 'vitest';
import { meansNoStage } from '../../src/studio/page/mapping/question-words.ts';

it.each([
  'none',
  'None',
  'null',
  'no stage',
  '-',
  'keine',
  'Keine Phase',
  'aucune',
  'ninguna',
  'ningún',
  'nenhuma etapa',
])('%s is no stage, unless the workspace has a stage of that name', (word) => {
  expect(meansNoStage(word, ['Customer'])).toBe(true);
  expect(meansNoStage(word, [word.toUpperCase()])).toBe(false);
});

it.each(['Customer', 'Keine Antwort', 'No show', 'Nonexistent'])('%s is a stage', (word) => {
  expect(meansNoStage(word, [])).toBe(false);
});
