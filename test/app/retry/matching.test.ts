import { describe, expect, it } from 'vitest';
import { openJournalDatabase } from '../../../src/journal/index.ts';
import { formatRetryMatchCounts } from '../../../src/report/words.ts';
import { retryingHere } from './retrying.ts';

const mapping = `mapping: people
contact:
  firstName: { from: Name }
  email: { from: E-Mail }
`;

const lines = (...rows: readonly string[]) => `${['Name;E-Mail', ...rows].join('\n')}\n`;

describe('a retry without a key', () => {
  it('takes an unchanged row wherever it is now, and lists the blank one that is gone', async () => {
    const site = await retryingHere({ mapping });
    site.write('people.csv', lines(';', 'Anna;anna@ex.de', 'Bert;bert at ex.de', 'Carl;carl@ex.de'));
    const first = await site.import();
    expect(first.exitCode).toBe(3);
    site.write('people.csv', lines('Bert;bert at ex.de', 'Anna;anna@ex.de', 'Carl;carl@ex.de'));
    site.write('mapping.yaml', mapping.replace('email: { from: E-Mail }', 'phone: { from: E-Mail }'));
    const second = await site.retry(first.summary.run);
    expect(second.summary.matched).toEqual({
      ...{ input: 3, taken: 1, added: 0, done: 2, changed: 0, filtered: 0 },
      ...{ missing: 0, removed: 1, gone: 0 },
    });
    expect(second.csv('not-taken.csv')).toMatchObject([{ _line: '2', _code: 'identity.missing' }]);
  });

  it('imports a corrected row as a new one, reports what is recognised, and closes the open one with --removed', async () => {
    const site = await retryingHere({ mapping });
    site.write('people.csv', lines('Anna;anna@ex.de', 'Bert;bert at ex.de', 'Carl;carl@ex.de'));
    const { run } = (await site.import()).summary;
    site.write('people.csv', lines('Anna;anna@ex.de', 'Bert;bert@ex.de', 'Carl;carl@ex.de'));
    const second = await site.retry(run);
    expect(site.people()).toEqual(['Anna anna@ex.de', 'Bert bert@ex.de', 'Carl carl@ex.de']);
    expect(second.summary.matched).toMatchObject({ input: 3, taken: 1, added: 1, done: 2, missing: 1 });
    expect(second.exitCode).toBe(3);
    expect(second.csv('not-taken.csv')).toMatchObject([{ _line: '3', _code: 'email.invalid' }]);
    expect(formatRetryMatchCounts(second.summary)).toEqual([
      '3 rows in the input: 1 taken (1 of them new), 2 done before.',
      '1 open row is no longer in the input.',
      'A corrected row is recognised by its key or by the _row column of rejects.csv, any other row by its unchanged cells; a row that is not recognised is imported as new.',
    ]);
    expect(site.statusOf(second.summary.run).next).toEqual([
      {
        why: '1 open row is no longer in the file (not-taken.csv); if it was removed on purpose, or corrected and imported as a new row',
        command: expect.stringMatching(/ retry \S+ --removed$/),
      },
    ]);
    const third = await site.retry(second.summary.run, { removed: true });
    expect(third.summary.matched).toMatchObject({ taken: 0, done: 3, missing: 0, removed: 1 });
    expect(third.exitCode).toBe(0);
    expect(site.statusOf(run)).toMatchObject({ open: 0, next: [] });
  });

  it('sends no comment twice of a row that was corrected and imported as a new one', async () => {
    const withComment = `${mapping}comments:\n  - { name: note, text: "{Note}" }\n`;
    const site = await retryingHere({ mapping: withComment });
    const people = (name: string, other: string) =>
      `Name;E-Mail;Note\n${name};anna@ex.de;Likes tea\nBert;${other};\n`;
    site.write('people.csv', people('Anna', 'bert at ex.de'));
    const { run } = (await site.import()).summary;
    site.write('people.csv', people('Anne', 'bert@ex.de'));
    const second = await site.retry(run);
    expect(second.summary.matched).toMatchObject({ taken: 2, added: 2, missing: 1, gone: 1 });
    expect(site.people()).toEqual(['Anne anna@ex.de', 'Bert bert@ex.de']);
    expect(
      site.sandbox.log.filter(({ method, path }) => method === 'POST' && path.endsWith('/comment')),
    ).toHaveLength(1);
  });

  it('counts equal rows: of two, one finished and one open, the open one is taken', async () => {
    const site = await retryingHere({ mapping });
    site.write('people.csv', lines('Anna;anna@ex.de', 'Bert;x', 'Bert;x', 'Anna;anna@ex.de'));
    const first = await site.import();
    expect(first.summary.rows).toMatchObject({ created: 1, folded: 1, rejected: 2 });
    site.write('people.csv', lines('Anna;anna@ex.de', 'Anna;anna@ex.de', 'Anna;anna@ex.de', 'Bert;x'));
    const second = await site.retry(first.summary.run);
    expect(second.summary.matched).toMatchObject({ input: 4, taken: 2, added: 1, done: 2, missing: 1 });
    expect(second.exitCode).toBe(3);
  });

  it('ends with 3 while an open row is missing, until --removed, and finds the row when it comes back', async () => {
    const site = await retryingHere({ mapping });
    const whole = lines('Anna;anna@ex.de', 'Bert;bert at ex.de');
    site.write('people.csv', whole);
    const { run } = (await site.import()).summary;
    site.write('people.csv', lines('Anna;anna@ex.de'));
    const second = await site.retry(run);
    expect(second.exitCode).toBe(3);
    expect(second.summary.matched).toMatchObject({ input: 1, taken: 0, done: 1, missing: 1 });
    expect(second.csv('not-taken.csv')).toMatchObject([
      { _why: 'open, and no longer in the file', _run: run, _line: '3', _code: 'email.invalid' },
    ]);
    expect(site.isOpen(run)).toBe(true);
    site.write('people.csv', whole);
    const third = await site.retry(second.summary.run);
    expect(third.summary.matched).toMatchObject({ taken: 1, added: 0, done: 1, missing: 0 });
    site.write('people.csv', lines('Anna;anna@ex.de'));
    const fourth = await site.retry(run, { removed: true });
    expect(fourth.exitCode).toBe(0);
    expect(fourth.summary.matched).toMatchObject({ taken: 0, removed: 1, missing: 0 });
    expect(site.isOpen(run)).toBe(false);
  });

  it('takes a finished row that was edited since once', async () => {
    const site = await retryingHere({ mapping });
    site.write('people.csv', lines('Anna;anna@ex.de', 'Bert;bert at ex.de'));
    const { run } = (await site.import()).summary;
    site.write('people.csv', lines('Bert;bert@ex.de', 'Anne;anna@ex.de'));
    const second = await site.retry(run);
    expect(second.summary.matched).toMatchObject({
      input: 2,
      taken: 2,
      added: 2,
      missing: 1,
      done: 0,
      gone: 1,
    });
    expect(site.people()).toEqual(['Anne anna@ex.de', 'Bert bert@ex.de']);
    const third = await site.retry(run, { removed: true });
    expect(third.summary.matched).toMatchObject({ input: 2, taken: 0, done: 2, removed: 1 });
    expect(third.exitCode).toBe(0);
  });

  it('does not take a new row for the one that was removed in its place', async () => {
    const site = await retryingHere({ mapping });
    site.write('people.csv', lines('Anna;anna@ex.de', 'Bert;bert at ex.de', 'Carl;carl@ex.de'));
    const { run } = (await site.import()).summary;
    site.write('people.csv', lines('Anna;anna@ex.de', 'Dora;dora@ex.de', 'Carl;carl@ex.de'));
    const second = await site.retry(run);
    expect(second.summary.matched).toMatchObject({ taken: 1, added: 1, done: 2, missing: 1 });
    expect(second.exitCode).toBe(3);
    expect(second.csv('not-taken.csv')).toMatchObject([{ _line: '3', _code: 'email.invalid' }]);
  });

  it('recognises a row whose columns moved, or that got an empty one', async () => {
    const site = await retryingHere({ mapping, source: { format: 'csv', path: 'people.csv', header: true } });
    site.write('people.csv', lines('Anna;anna@ex.de', 'Bert;bert at ex.de'));
    const { run } = (await site.import()).summary;
    site.write('people.csv', 'E-Mail;Note;Name\nbert at ex.de;;Bert\nanna@ex.de;;Anna\n');
    expect((await site.retry(run)).summary.matched).toMatchObject({ taken: 1, added: 0, done: 1 });
  });

  it('finds a line again that could not be parsed, and takes what it was corrected to as new', async () => {
    const site = await retryingHere({ mapping });
    site.write('people.csv', lines('Anna;anna@ex.de', 'Bert;bert@ex.de;too much', 'Carl;carl@ex.de;x;y'));
    const { run } = (await site.import()).summary;
    site.write('people.csv', lines('Carl;carl@ex.de;x;y', 'Bert;bert@ex.de', 'Anna;anna@ex.de'));
    const second = await site.retry(run);
    expect(second.summary.matched).toMatchObject({ input: 3, taken: 2, added: 1, done: 1, missing: 1 });
    expect(second.summary.rows).toMatchObject({ created: 1, rejected: 1 });
  });

  it('refuses a run of a version that stored no hashes', async () => {
    const site = await retryingHere({ mapping });
    site.write('people.csv', lines('Anna;anna@ex.de', 'Bert;bert at ex.de'));
    const { run } = (await site.import()).summary;
    const file = openJournalDatabase(site.workDir);
    file.exec('UPDATE row SET hash = NULL');
    file.close();
    site.sandbox.resetLog();
    await expect(site.retry(run)).rejects.toThrow(`run ${run} was made by an older version`);
    expect(site.sandbox.log.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('a retry with a key', () => {
  const keyed = mapping.replace('contact:', 'key: ID\ncontact:');
  const rows = (...all: readonly string[]) => `${['ID;Name;E-Mail', ...all].join('\n')}\n`;

  it('takes new and changed keys, leaves finished ones alone and lists those that changed', async () => {
    const site = await retryingHere({ mapping: keyed });
    site.write(
      'people.csv',
      rows('1;Anna;anna@ex.de', '2;Bert;bert at ex.de', '3;Carl;c', '4;Dora;dora@ex.de'),
    );
    const { run } = (await site.import()).summary;
    site.write(
      'people.csv',
      rows(
        '5;Emil;emil@ex.de',
        '4;Dorothea;dora@ex.de',
        '2;Bert;bert@ex.de',
        '33;Carl;carl@ex.de',
        '1;Anna;anna@ex.de',
      ),
    );
    const second = await site.retry(run);
    expect(second.summary.matched).toEqual({
      ...{ input: 5, taken: 3, added: 2, done: 1, changed: 1, filtered: 0 },
      ...{ missing: 1, removed: 0, gone: 0 },
    });
    expect(second.exitCode).toBe(3);
    expect(second.csv('not-taken.csv').map(({ _key, _now }) => [_key, _now])).toEqual([
      ['4', '3'],
      ['3', ''],
    ]);
    expect(site.people()).toEqual([
      'Anna anna@ex.de',
      'Bert bert@ex.de',
      'Carl carl@ex.de',
      'Dora dora@ex.de',
      'Emil emil@ex.de',
    ]);
  });

  it('of a run of an older version still knows rows by their key', async () => {
    const site = await retryingHere({ mapping: keyed });
    site.write('people.csv', rows('1;Anna;anna@ex.de', '2;Bert;bert at ex.de'));
    const { run } = (await site.import()).summary;
    const file = openJournalDatabase(site.workDir);
    file.exec('UPDATE row SET hash = NULL');
    file.close();
    site.write('people.csv', rows('2;Bert;bert@ex.de', '1;Anna;anna@ex.de'));
    const second = await site.retry(run);
    expect(second.summary.matched).toMatchObject({ taken: 1, added: 0, done: 1, changed: 0, missing: 0 });
  });
});
