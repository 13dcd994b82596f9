import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { atScene, contactOf } from '../end-to-end/scene.ts';
import { atSite, rowsOf, type Site } from './site.ts';

type Line = Record<string, string>;
type Answers = Readonly<Record<string, string>>;

/** Four people with a comment each, of which the answers of those that were sent first are lost. */
async function uncertainSite(lost: number, use: (site: Site, run: string) => Promise<void>): Promise<void> {
  await atSite({ rows: 4, limits: '{ concurrency: 1 }' }, async (site) => {
    const mapping = join(site.folder, 'mapping.yaml');
    const comments = 'comments: [{ name: origin, text: "Record {ID}\\nof the old CRM" }]\n';
    writeFileSync(mapping, readFileSync(mapping, 'utf8') + comments);
    const fault = { method: 'POST', path: '/contact/*/comment', kind: 'dropAfter', times: lost } as const;
    site.sandbox.scriptFault(fault);
    const first = await site.import();
    expect(rowsOf(first.stdout)).toMatchObject({ read: 4, uncertain: lost });
    site.sandbox.resetLog();
    await use(site, JSON.parse(first.stdout).run);
  });
}

const listOf = ({ workDir }: Site, run: string) => join(workDir, 'runs', run, 'uncertain.csv');

function linesOf(path: string): Line[] {
  return parse<Line>(readFileSync(path), { columns: true, bom: true });
}

/** Writes the answers by key into the list of a run, as a spreadsheet saves it; returns where. */
function decide(
  site: Site,
  run: string,
  answers: Answers,
  change: (line: Line) => Line = (line) => line,
): string {
  const lines = linesOf(listOf(site, run)).map((line) =>
    change({ ...line, resend: answers[line._key ?? ''] ?? '' }),
  );
  const path = join(site.folder, 'decided.csv');
  writeFileSync(
    path,
    stringify(lines, { header: true, delimiter: ';', bom: true, record_delimiter: '\r\n' }),
  );
  return path;
}

const sent = ({ sandbox }: Site) =>
  sandbox.log.filter(({ method, path }) => method === 'POST' && path.endsWith('/comment')).length;

const keysOf = (site: Site, run: string) => linesOf(listOf(site, run)).map((line) => line._key ?? '');

describe.concurrent('retry --decided', () => {
  it('sends again what has yes, closes what has no, and leaves the rest uncertain', () =>
    uncertainSite(3, async (site, run) => {
      const [again = '', there = '', open = ''] = keysOf(site, run);
      const path = decide(site, run, { [again]: 'Yes', [there]: 'no' });
      const planned = await site.longshore(['retry', run, '--decided', path, '--dry-run', '--json']);
      expect(planned).toMatchObject({ code: 3, stderr: '' });
      expect(sent(site)).toBe(0);
      const retried = await site.longshore(['retry', run, '--decided', path, '--json']);
      expect(retried).toMatchObject({ code: 3, stderr: '' });
      expect(rowsOf(retried.stdout)).toEqual({ read: 3, updated: 1, unchanged: 1, uncertain: 1 });
      expect(sent(site)).toBe(1);
      const summary = JSON.parse(retried.stdout);
      expect(summary).toMatchObject({
        selection: { kind: 'retry', run, resend: false, decided: { file: path } },
      });
      expect(summary.problems).toContainEqual(expect.objectContaining({ code: 'comments.confirmed', n: 1 }));
      expect(readFileSync(summary.files.dropped, 'utf8')).toMatch(
        new RegExp(`,${there},comments.confirmed,.*: a person decided that it is in the workspace`),
      );
      const page = readFileSync(summary.files.report, 'utf8');
      expect(page).toContain('a person decided that it is in the workspace');
      expect(page).toContain('uncertain comments as decided in decided.csv');
      expect(keysOf(site, summary.run)).toEqual([open]);
      const [next] = summary.next;
      expect(next.command).toContain(`retry ${summary.run} --decided ${summary.files.uncertain}`);
      const before = JSON.parse((await site.longshore(['status', run, '--json'])).stdout);
      expect(before).toMatchObject({ open: 1 });

      const last = decide(site, summary.run, { [open]: 'n' });
      const closed = await site.longshore(['retry', summary.run, '--decided', last, '--json']);
      expect(closed.code).toBe(0);
      expect(rowsOf(closed.stdout)).toEqual({ read: 1, unchanged: 1 });
      expect(sent(site)).toBe(1);
      expect(JSON.parse((await site.longshore(['status', run, '--json'])).stdout)).toMatchObject({ open: 0 });
      expect(rowsOf((await site.import()).stdout)).toEqual({ read: 4, unchanged: 4 });
      expect(sent(site)).toBe(1);
      const undo = await site.longshore(['undo', run, '--dry-run', '--json']);
      expect(undo.stderr).toBe('');
    }));

  it('sends a comment once for each yes: lost again, it is uncertain again and needs a new decision', () =>
    uncertainSite(1, async (site, run) => {
      const [key = ''] = keysOf(site, run);
      const path = decide(site, run, { [key]: 'yes' });
      site.sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', kind: 'dropBefore' });
      const retried = await site.longshore(['retry', run, '--decided', path, '--json']);
      expect(rowsOf(retried.stdout)).toEqual({ read: 1, uncertain: 1 });
      const same = await site.longshore(['retry', run, '--decided', path]);
      expect(same).toMatchObject({ code: 2, stdout: '' });
      expect(same.stderr).toContain(
        `error: ${path}:2: the comment is not as run ${run} left it: a later run has sent it again, or it was decided about already.\n  Clear its cell under "resend"`,
      );
      expect(sent(site)).toBe(1);
      const newer = decide(site, JSON.parse(retried.stdout).run, { [key]: 'yes' });
      expect((await site.longshore(['retry', '--decided', newer])).code).toBe(0);
      expect(sent(site)).toBe(2);
    }));

  it('refuses what is not about a comment of the run, and decides nothing then', () =>
    uncertainSite(2, async (site, run) => {
      const [one = '', two = ''] = keysOf(site, run);
      const yes = { [one]: 'yes', [two]: 'yes' };
      const second = (column: string, cell: string) => (line: Line) =>
        line._key === two ? { ...line, [column]: cell } : line;
      const refused = async (path: string, says: string, ...flags: readonly string[]) => {
        const ended = await site.longshore(['retry', run, '--decided', path, ...flags]);
        expect(ended).toMatchObject({ code: 2, stdout: '' });
        expect(ended.stderr).toContain(says);
      };
      const take = 'Take the line from the uncertain.csv of the run again.';
      // The text has two lines, so the second comment is in line 4 of the file.
      await refused(
        decide(site, run, yes, second('_run', 'R7')),
        `decided.csv:4: this comment is of run "R7" ("_run"), and not of run ${run}.\n  Decide about it in a retry of its own run: npx longshore retry R7 --decided`,
      );
      await refused(
        decide(site, run, yes, second('_line', '77')),
        `decided.csv:4: run ${run} has no such uncertain`,
      );
      await refused(
        decide(site, run, yes, second('_line', '2E1')),
        'decided.csv:4: "2E1" under "_line" is not a whole number',
      );
      await refused(
        decide(site, run, yes, second('contactId', '1')),
        `decided.csv:4: run ${run} has no such uncertain`,
      );
      await refused(decide(site, run, yes, second('step', 'comment x')), take);
      await refused(
        decide(site, run, yes, second('text', 'Another')),
        'decided.csv:4: the text of the comment is not the one that was sent ("text")',
      );
      await refused(
        decide(site, run, { [one]: 'yes', [two]: 'maybe' }),
        'decided.csv:4: "maybe" under "resend" is neither yes nor no.\n  Write yes to send the comment again, no if it is in the workspace',
      );
      await refused(
        decide(site, run, {}),
        'decided.csv: nothing is decided: no line has yes or no under "resend".',
      );
      const path = decide(site, run, yes);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text + text.slice(text.indexOf('yes;')));
      await refused(path, 'decided.csv:6: line 2 already decides about "comment origin" of line');
      writeFileSync(path, text.replace('resend', 'again'));
      await refused(path, 'decided.csv:1: this is no uncertain.csv: its first line does not name "resend".');
      await refused(join(site.folder, 'none.csv'), 'none.csv: there is no such file.');
      await refused(path, '--decided and --resend cannot be used together.', '--resend');
      await refused(path, '--decided and --from cannot be used together.', '--from', path);
      expect(sent(site)).toBe(0);
      // Nothing of the first line was decided by any of them.
      const retried = await site.longshore(['retry', run, '--decided', decide(site, run, yes), '--json']);
      expect(retried).toMatchObject({ code: 0, stderr: '' });
      expect(sent(site)).toBe(2);
    }));

  it.each([
    ['key: ID\n', ['comment origin of key:1', 'comment origin of key:2', 'comment origin']],
    [
      '',
      [
        'comment origin #2 of email:ada@example.com',
        'comment origin of email:ada@example.com',
        'comment origin',
      ],
    ],
  ])('tells the comments of rows apart that are one person, with %j', async (key, steps) => {
    const mapping = `mapping: people\n${key}contact:\n  firstName: { from: Name }\n  email: { from: Email }\ncomments: [{ name: origin, text: "Record {ID}" }]\n`;
    const rows = ['ada', 'ada', 'bo'].map((name, n) => ({
      ID: `${n + 1}`,
      Name: name,
      Email: `${name}@example.com`,
    }));
    const settings = { limits: { concurrency: 1 } };
    await atScene({ mapping, rows, settings }, async (scene) => {
      const fault = { method: 'POST', path: '/contact/*/comment' } as const;
      scene.sandbox.scriptFault({ ...fault, kind: 'dropBefore', times: 3 });
      const report = await scene.import();
      const lines = report.csv('uncertain.csv') ?? [];
      expect(lines.map(({ step }) => step)).toEqual(steps);
      const path = join(scene.path, 'decided.csv');
      writeFileSync(
        path,
        stringify(
          lines.map((line) => ({ ...line, resend: line.text === 'Record 1' ? 'no' : 'yes' })),
          { header: true },
        ),
      );
      const retried = await scene.retry(report.run, '--decided', path);
      expect(retried).toMatchObject({ code: 0, rows: { read: 2, updated: 2 } });
      const texts = (email: string) => contactOf(scene.sandbox, email).comments.map(({ text }) => text);
      expect(texts('ada@example.com')).toEqual(['Record 2']);
      expect(texts('bo@example.com')).toEqual(['Record 3']);
    });
  });
});
