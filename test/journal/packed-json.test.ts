import { expect, test } from 'vitest';
import { listWrittenSteps } from '../../src/journal/index.ts';
import { createJsonPacker, unpackJson } from '../../src/journal/packed-json.ts';
import type { StepRecord } from '../../src/journal/step-record.ts';
import { ended, row, runJournal } from './work-dir.ts';

const contact = {
  identifiers: [
    { kind: 'email', value: 'ada@example.test' },
    { kind: 'phone', value: '+60120000001' },
  ],
  body: {
    firstName: 'Ada',
    email: 'ada@example.test',
    phone: '+60120000001',
    custom_fields: [{ name: 'Plan', value: 'gold' }],
  },
};

function step(seq: number, intent: unknown, more: Partial<StepRecord> = {}): StepRecord {
  return { seq, name: 'create', item: '', state: 'sent', intent, before: null, sentAt: 1, ...more };
}

const values: Readonly<Record<string, unknown>> = {
  'an object': contact,
  'an empty object': {},
  'empty arrays and objects': { a: [], b: {}, c: [[], {}] },
  'line breaks, quotes and signs of the packed text': { a: 'one\ntwo', b: '=0', c: '"', d: '\\n', e: '7\n8' },
  'keys with line breaks and numbers': { 'a\nb': 1, 2: 3, '': 4 },
  'numbers, flags and null': { a: -1.5e300, b: 0, c: true, d: null, e: 9_007_199_254_740_991 },
  'equal values': { a: 'the same', b: 'the same', c: ['the same', 'other', 'the same'] },
  'properties without a value': { a: undefined, b: 1 },
  'a field that holds a name': { name: 'Ada', kinds: ['name'], list: [{ name: 'x', from: 'y' }] },
  'a name that is no text': { kind: 7, name: null, value: { kind: 'deep', name: 'a\nb' } },
  'text beyond ASCII': { ключ: '🙂', name: 'é', value: '\u2028' },
};

test.for(Object.entries(values))('%s are unpacked as they were', ([, value]) => {
  const { file } = runJournal();
  const packed = createJsonPacker(file)(value);
  const template = file
    .prepare<[string], string>('SELECT text FROM json_template WHERE number = CAST(? AS INTEGER)')
    .pluck()
    .get(packed);
  expect(packed).toMatch(/^\d/);
  expect(unpackJson(packed, template)).toBe(JSON.stringify(value));
});

test('what is no object stays JSON text', () => {
  const { file } = runJournal();
  const pack = createJsonPacker(file);
  for (const value of [7, 'text', [1], null, true]) {
    expect(pack(value)).toBe(JSON.stringify(value));
    expect(unpackJson(pack(value), null)).toBe(JSON.stringify(value));
  }
});

test('two objects with the same keys share a template, and one stored by an earlier session is used again', () => {
  const { file } = runJournal();
  const first = createJsonPacker(file)({ a: 'x', b: 1 });
  const second = createJsonPacker(file)({ a: 'y', b: 2 });
  expect([first, second]).toEqual(['1\n"x"\n1', '1\n"y"\n2']);
  expect(createJsonPacker(file)({ a: 'y' })).toBe('2\n"y"');
});

test('a text that the value repeats is stored once', () => {
  const { file } = runJournal();
  const packed = createJsonPacker(file)(contact);
  expect(packed).toBe('1\n"ada@example.test"\n"+60120000001"\n"Ada"\n=0\n=1\n"gold"');
});

test('beyond a thousand templates values stay JSON text', () => {
  const { file } = runJournal();
  const pack = createJsonPacker(file);
  for (let n = 0; n < 1_000; n += 1) expect(pack({ [`key ${n}`]: n })).toMatch(/^\d/);
  expect(pack({ other: 1 })).toBe('{"other":1}');
  expect(pack({ 'key 7': 1 })).toMatch(/^\d/);
});

test('steps of an older journal, which are JSON text, are read beside packed ones', async () => {
  const { file, journal } = runJournal();
  await journal.intend(step(0, contact), []);
  await journal.intend(step(1, contact, { before: { lifecycle: 'Lead' } }), []);
  file.prepare('UPDATE step SET intent = ? WHERE seq = 0').run(JSON.stringify(contact));
  journal.finish(ended(row(0), row(1)));
  journal.flush();
  const read = listWrittenSteps(file, { ...journal.run }, { seq: -1, name: '', item: '' }, 10);
  expect(read.map(({ seq, intent, before }) => ({ seq, intent, before }))).toEqual([
    { seq: 0, intent: contact, before: null },
    { seq: 1, intent: contact, before: { lifecycle: 'Lead' } },
  ]);
});

test.for(['DELETE FROM json_template', "UPDATE json_template SET text = text || char(10) || 'x'"])(
  'a step whose template does not fit ends with its table and number: %s',
  async (sql) => {
    const { file, journal } = runJournal();
    await journal.intend(step(0, contact), []);
    file.exec(sql);
    expect(() => listWrittenSteps(file, journal.run, { seq: -1, name: '', item: '' }, 10)).toThrow(
      /table step, .*seq 0.*: the column intent is not valid JSON/,
    );
  },
);
