import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatYamlFile } from '../../../src/app/draft/yaml/text.ts';
import { escapeControlCharacters } from '../../../src/model/escape-controls.ts';

const odd = [
  'a\u202eb',
  'a\u001b[31mb',
  'a\u007fb',
  'a\u0085b',
  'a\u2028b',
  'a\u{e0041}b',
  'a\u00adb',
  'a\tb',
  'a\nb',
];

test('a name with controls is written escaped, and read back as it is', () => {
  const entries = odd.map((name) => ({
    key: name,
    value: { plain: { from: name, of: [name] } },
    above: [`about ${name}`],
    comment: `found in ${name}`,
  }));
  const text = formatYamlFile([`drafted from ${odd.join(' ')}`], entries, [`left out: ${odd.join(' ')}`]);
  expect(text).toBe(escapeControlCharacters(text));
  expect(parse(text)).toEqual(Object.fromEntries(odd.map((name) => [name, { from: name, of: [name] }])));
});
