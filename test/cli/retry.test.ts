import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atSite, changed, rowsOf, type Site, slowly } from './site.ts';

/** Breaks the e-mails of rows 5 to 9; returns a function that fixes them. */
function breakRows({ folder }: Site): () => void {
  const path = join(folder, 'people.csv');
  const whole = readFileSync(path, 'utf8');
  writeFileSync(path, whole.replaceAll(/person[5-9]@example/g, 'nobody'));
  return () => writeFileSync(path, whole);
}

async function finished(site: Site): Promise<string> {
  const ended = await site.import();
  expect(ended).toMatchObject({ code: 3, stderr: '' });
  expect(rowsOf(ended.stdout)).toMatchObject({ read: 40, rejected: 5 });
  return JSON.parse(ended.stdout).run;
}

/** The requests that are about contacts. */
function aboutContacts({ sandbox }: Site): string[] {
  return sandbox.log.map(({ path }) => path).filter((path) => path.startsWith('/contact'));
}

describe.concurrent('retry', () => {
  it('takes the fixed rows alone, and then there is nothing left to retry', () =>
    atSite({}, async (site) => {
      const fix = breakRows(site);
      const first = await finished(site);
      fix();
      site.sandbox.resetLog();
      const retried = await site.longshore(['retry', first, '--json']);
      expect(retried).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(retried.stdout)).toMatchObject({
        selection: { kind: 'retry', run: first, resend: false },
      });
      expect(rowsOf(retried.stdout)).toMatchObject({ read: 5, created: 4 });
      expect(aboutContacts(site).filter((path) => !/person[5-9]|5_?5?000[5-9]|id:|list/.test(path))).toEqual(
        [],
      );
      site.expectExact();

      site.sandbox.resetLog();
      const { run } = JSON.parse(retried.stdout);
      expect(await site.longshore(['retry', run])).toEqual({
        code: 0,
        signal: null,
        stderr: '',
        stdout: `Nothing to retry: run ${run} has no row that was rejected, failed or is uncertain.\n`,
      });
      const none = await site.longshore(['retry', '--json']);
      expect(none).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(none.stdout)).toEqual({ run: null, toRetry: 0 });
      expect(site.sandbox.log).toEqual([]);
    }));

  it('without a name takes the latest run whose rows nobody has taken up since', () =>
    atSite({}, async (site) => {
      const fix = breakRows(site);
      const first = await finished(site);
      const second = await site.longshore(['retry', '--json']);
      expect(second).toMatchObject({ code: 3, stderr: '' });
      const { run, selection } = JSON.parse(second.stdout);
      expect(selection.run).toBe(first);
      const text = await site.longshore(['status']);
      expect(text.stdout).toContain(
        `A retry of run ${first}: its rows that were rejected, failed or are uncertain.`,
      );
      expect(text.stdout).toContain(`npx longshore retry ${run} --work-dir ${site.workDir}`);
      const list = await site.longshore(['runs']);
      expect(list.stdout).toMatch(new RegExp(`3 {2}retry of ${first}\n.* 3 {2}all rows\n$`));
      fix();
      const third = await site.longshore(['retry', '--json']);
      expect(JSON.parse(third.stdout).selection.run).toBe(run);
      expect(third.code).toBe(0);
      site.expectExact();
    }));

  it('without a name leaves alone what a later import has seen again', () =>
    atSite({ rows: 12 }, async (site) => {
      const fix = breakRows(site);
      expect((await site.import()).code).toBe(3);
      fix();
      expect((await site.import()).code).toBe(0);
      const { code, stdout } = await site.longshore(['retry']);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout:
          'Nothing to retry: no finished run here has a row that was rejected, failed or is uncertain.\n',
      });
    }));

  it('of a run that is not finished says to continue it; of an unknown one, which there are', () =>
    atSite({ rows: 8 }, async (site) => {
      const { run } = JSON.parse((await site.import('--limit', '4')).stdout);
      site.sandbox.resetLog();
      const open = await site.longshore(['retry', run]);
      expect(open).toMatchObject({ code: 2, stdout: '' });
      expect(open.stderr).toBe(
        `error: run ${run} is not finished: finish it before you retry rows.\n  Continue it: npx longshore resume ${run} --work-dir ${site.workDir}\n`,
      );
      const unknown = await site.longshore(['retry', 'nobody']);
      expect(unknown).toMatchObject({ code: 2, stdout: '' });
      expect(unknown.stderr).toContain(`No run "nobody" found. The latest: ${run}.`);
      expect((await site.longshore(['retry'])).stdout).toContain('Nothing to retry: no finished run');
      expect(site.sandbox.log).toEqual([]);
    }));

  it('that was killed is resumed as the retry that it is', () =>
    atSite(slowly, async (site) => {
      const fix = breakRows(site);
      const first = await finished(site);
      fix();
      site.sandbox.resetLog();
      const killed = site.begin(['retry', first]);
      await changed(site.sandbox, 1);
      killed.process.kill('SIGKILL');
      await killed.ended;
      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(resumed.stdout)).toMatchObject({ selection: { kind: 'retry', run: first } });
      expect(rowsOf(resumed.stdout)).toMatchObject({ read: 5, created: 4 });
      site.expectExact();
    }));

  it('goes into the workspace of its run and nowhere else', () =>
    atSite({}, async (site) => {
      const fix = breakRows(site);
      const first = await finished(site);
      const elsewhere = await site.longshore(['retry', first, '--workspace', 'sandbox']);
      expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
      expect(elsewhere.stderr).toContain(
        `run ${first} writes into ${site.sandbox.baseUrl}, not into sandbox:`,
      );
      expect(elsewhere.stderr).toContain(`npx longshore retry ${first} --work-dir ${site.workDir}`);
      fix();
      expect(await site.longshore(['retry', first])).toMatchObject({ code: 0 });
      site.expectExact();
    }));

  it('takes a corrected rejects.csv, resumes it where it was killed, and closes the first run', () =>
    atSite(slowly, async (site) => {
      breakRows(site);
      const first = await finished(site);
      const rejects = join(site.workDir, 'runs', first, 'rejects.csv');
      const corrected = join(site.folder, 'corrected.csv');
      const text = readFileSync(rejects, 'utf8').replace(
        /^(\d),(\w+),(\w+),nobody\.com/gm,
        '$1,$2,$3,person$1@example.com',
      );
      writeFileSync(corrected, text.replaceAll('\n', '\r\n'));
      site.sandbox.resetLog();
      const killed = site.begin(['retry', first, '--from', corrected]);
      await changed(site.sandbox, 1);
      killed.process.kill('SIGKILL');
      await killed.ended;
      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(resumed.stdout)).toMatchObject({
        selection: { kind: 'retry', run: first, from: corrected },
        matched: { input: 5, taken: 5, added: 0, missing: 0 },
      });
      site.expectExact();
      const status = await site.longshore(['status', first]);
      expect(status.stdout).toContain('Later retries settled 5 of its 5 open rows: none left open.');
      expect((await site.longshore(['retry'])).stdout).toContain('Nothing to retry');
    }));

  it('says in the summary, and by its exit code, which open rows are no longer in the file', () =>
    atSite({ rows: 12 }, async (site) => {
      breakRows(site);
      expect((await site.import()).code).toBe(3);
      const path = join(site.folder, 'people.csv');
      const lines = readFileSync(path, 'utf8').split('\n');
      const rest = lines.filter((line) => !line.startsWith('7,')).join('\n');
      writeFileSync(
        path,
        rest.replaceAll(/^(\d),(\w+),(\w+),nobody\.com/gm, '$1,$2,$3,person$1@example.com'),
      );
      const retried = await site.longshore(['retry']);
      expect(retried.code).toBe(3);
      expect(retried.stdout).toContain('11 rows in the input: 4 taken, 7 done before.');
      expect(retried.stdout).toContain('1 open row is no longer in the input.');
      const [, command = ''] = /npx longshore (retry \S+ --removed)/.exec(retried.stdout) ?? [];
      const closed = await site.longshore(command.split(' '));
      expect(closed).toMatchObject({ code: 0 });
      expect((await site.longshore(['retry'])).stdout).toContain('Nothing to retry');
    }));

  it.each([
    ['lists in cells', 'ndjson', 'notes.ndjson', {}],
    [
      'lists of joined tables',
      'dump',
      'notes',
      { join: { notes: { table: 'notes', on: { id: 'of' }, many: true } } },
    ],
  ])(
    'takes the corrected rejects.csv that the end of a run and status offer, with %s',
    (_, format, path, more) =>
      atSite({}, async ({ folder, sandbox, longshore, workDir }) => {
        const rows = [
          { id: '1', firstName: 'Ada', email: 'ada@example.com', notes: [{ of: '1', id: 'a', text: 'met' }] },
          { id: '2', firstName: 'Bob', email: 'nobody', notes: [{ of: '2', id: 'b', text: 'called' }] },
        ];
        const file = (name: string) => join(folder, name);
        const lines = (of: readonly object[]) => of.map((each) => JSON.stringify(each)).join('\n');
        writeFileSync(file('notes.ndjson'), lines(rows));
        mkdirSync(file('notes'));
        writeFileSync(file('notes/people.ndjson'), lines(rows.map(({ notes: _notes, ...row }) => row)));
        writeFileSync(file('notes/notes.ndjson'), lines(rows.flatMap(({ notes }) => notes)));
        writeFileSync(
          file('notes-map.yaml'),
          `mapping: notes
contact: { firstName: { from: firstName }, email: { from: email } }
comments: [{ each: notes, key: id, text: "{text}" }]
`,
        );
        const source = { format, path, ...(format === 'dump' && { table: 'people' }), ...more };
        // JSON is YAML.
        writeFileSync(
          file('notes.yaml'),
          JSON.stringify({ pipeline: 'notes', import: { source, mapping: 'notes-map.yaml' } }),
        );
        const ended = await longshore(['import', file('notes.yaml'), '--workspace', sandbox.baseUrl]);
        expect(ended.code).toBe(3);
        const offered = /npx longshore (retry \S+ --from (\S+))/;
        const [, command = '', rejects = ''] = offered.exec(ended.stdout) ?? [];
        expect((await longshore(['status'])).stdout).toContain(command);
        writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('nobody', 'bob@example.com'));
        expect(await longshore(command.split(' '))).toMatchObject({ code: 0 });
        const contacts = sandbox.contacts().filter(({ email }) => email === 'bob@example.com');
        expect(contacts).toHaveLength(1);
        expect(sandbox.comments(contacts[0]?.id ?? 0).map(({ text }) => text)).toEqual(['called']);
        expect(readdirSync(join(workDir, 'spool')).filter((name) => name.includes('.lists.'))).toEqual([]);
      }),
  );

  it('of corrected rows that have lists of joined tables resumes where it was killed, without a comment twice', () =>
    atSite(slowly, async (site) => {
      const { folder, sandbox, longshore, workDir } = site;
      const file = (name: string) => join(folder, name);
      const ids = [1, 2, 3, 4, 5, 6];
      mkdirSync(file('crm'));
      writeFileSync(
        file('crm/people.csv'),
        ['id,email,name', ...ids.map((id) => `${id},nobody${id},Bob`), ''].join('\n'),
      );
      writeFileSync(
        file('crm/notes.csv'),
        ['id,of,body', ...ids.flatMap((id) => [`a${id},${id},first`, `b${id},${id},second`]), ''].join('\n'),
      );
      writeFileSync(
        file('crm-map.yaml'),
        `mapping: crm
contact: { firstName: { from: name }, email: { from: email } }
comments: [{ each: notes, key: id, text: "{body} of {id}" }]
`,
      );
      const notes = { table: 'notes', on: { id: 'of' }, many: true };
      const source = { format: 'dump', path: 'crm', table: 'people', join: { notes } };
      const settings = {
        source,
        mapping: 'crm-map.yaml',
        limits: { concurrency: 2, settle: '1s' },
        policy: { maxErrors: 100 },
      };
      // JSON is YAML.
      writeFileSync(file('crm.yaml'), JSON.stringify({ pipeline: 'crm', import: settings }));
      const target = ['--workspace', sandbox.baseUrl, '--json'];
      const { run } = JSON.parse((await longshore(['import', file('crm.yaml'), ...target])).stdout);
      const rejects = readFileSync(join(workDir, 'runs', run, 'rejects.csv'), 'utf8');
      writeFileSync(file('c.csv'), rejects.replace(/^(\d),nobody\d/gm, '$1,crm$1@example.com'));
      sandbox.resetLog();
      const killed = site.begin(['retry', run, '--from', file('c.csv')]);
      await changed(sandbox, 3);
      killed.process.kill('SIGKILL');
      await killed.ended;
      expect(await longshore(['resume', '--json'])).toMatchObject({ code: 0, stderr: '' });
      const comments = ids.map((id) => {
        const contact = sandbox.contacts().find(({ email }) => email === `crm${id}@example.com`);
        return sandbox.comments(contact?.id ?? 0).map(({ text }) => text);
      });
      expect(comments).toEqual(ids.map((id) => [`first of a${id}`, `second of b${id}`]));
    }));

  it('of corrected rows is neither offered nor taken where their lists are the messages of a live workspace', () =>
    atSite({}, async ({ folder, longshore, workDir }) => {
      const file = (name: string) => join(folder, name);
      const contacts = [
        { id: 1, firstName: 'Ada', email: 'ada@example.com' },
        { id: 2, firstName: 'Bob' },
      ];
      const messages = [{ messageId: 1, contactId: 2, channelId: 1, traffic: 'incoming' }];
      writeFileSync(file('seed.json'), JSON.stringify({ contacts, messages }));
      writeFileSync(
        file('move-map.yaml'),
        `mapping: move
contact: { firstName: { from: firstName }, email: { from: email } }
comments: [{ each: messages, key: id, text: "{direction} {text}" }]
`,
      );
      const source = { format: 'workspace', messages: true, sandbox: { seed: 'seed.json' } };
      // JSON is YAML.
      writeFileSync(
        file('move.yaml'),
        JSON.stringify({ pipeline: 'move', import: { source, mapping: 'move-map.yaml' } }),
      );
      const ended = await longshore(['import', file('move.yaml'), '--workspace', 'sandbox', '--json']);
      expect(ended.code).toBe(3);
      const { run, next, files } = JSON.parse(ended.stdout);
      expect(JSON.stringify(next)).not.toContain('--from');
      const status = await longshore(['status', run]);
      expect(status.stdout).toContain(`npx longshore retry ${run}`);
      expect(status.stdout).not.toContain('--from');
      expect(files.rejects).toBe(join(workDir, 'runs', run, 'rejects.csv'));
      const refused = await longshore(['retry', run, '--from', files.rejects]);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('Correct the rows in the input itself, and leave out --from.');
    }));
});
