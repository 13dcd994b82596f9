import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { formatOpenCheck } from '../../src/studio/page/hand-over/check-words.ts';
import { createTranslator } from '../../src/studio/page/language.ts';

const server = 'src/studio/server';

/** Returns the messages and next steps of the errors that the studio answers with, with a word for each value. */
function errorTexts(): readonly string[] {
  return readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = ts.createSourceFile(
        name,
        readFileSync(join(server, name), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      );
      const found: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isNewExpression(node) && node.expression.getText() === 'HttpError')
          for (const argument of node.arguments ?? []) found.push(...textsIn(argument));
        ts.forEachChild(node, visit);
      };
      visit(file);
      return found;
    });
}

function textsIn(node: ts.Node): readonly string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [[node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('X1')];
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((each) => (ts.isPropertyAssignment(each) ? textsIn(each.initializer) : []));
}

it.each(['de', 'es', 'fr', 'pt'])('errors of the studio are shown in the words of %s', (language) => {
  const words = JSON.parse(readFileSync(`src/studio/page/words/${language}.json`, 'utf8'));
  const { translateEngineText } = createTranslator(language, words);
  const texts = errorTexts().filter((text) => /[a-z]{2} [a-z]/i.test(text));
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => translateEngineText(text) === text)).toEqual([]);
});

it('a check that found something open says in one sentence what it is', () => {
  const contacts = { written: 9, matched: 4, different: 1, missing: 2, unread: 0, gone: 0, notYet: 2 };
  expect(formatOpenCheck({ contacts, sample: null, uncertain: 1 })).toBe(
    'Of 9 contacts: 1 differs, 2 are missing, 2 are not complete yet, 1 comment is uncertain.',
  );
});
