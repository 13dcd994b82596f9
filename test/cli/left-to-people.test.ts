import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atSite, rowsOf } from './site.ts';

describe.concurrent('what a run leaves to people is said, with what to type', () => {
  it('keys that are gone from the input: the number and the list, and nothing was done', () =>
    atSite({ rows: 8 }, async (site) => {
      const first = await site.import();
      expect(JSON.parse(first.stdout)).toMatchObject({ exitCode: 0, gone: 0 });
      const path = join(site.folder, 'people.csv');
      const lines = readFileSync(path, 'utf8').split('\n');
      writeFileSync(path, lines.toSpliced(2, 1).join('\n'));
      const before = site.sandbox.contacts();
      const second = await site.longshore([
        'import',
        site.people.pipeline,
        '--workspace',
        site.sandbox.baseUrl,
      ]);
      expect(second.code).toBe(0);
      const said =
        /1 key of earlier runs is no longer in the input \((\S+)\), and no row led to its contact, which was left alone\./.exec(
          second.stdout,
        );
      expect(readFileSync(said?.[1] ?? '', 'utf8')).toMatch(
        /^_key,contactId,identifier,lastLine\n1,\d*,\S+,3\n$/,
      );
      expect(site.sandbox.contacts()).toEqual(before);
      const { next } = JSON.parse((await site.longshore(['status', '--json'])).stdout);
      expect(next).toMatchObject([{ command: null }]);
    }));

  it('a comment whose answer is lost: its text, where to look, and how to send it again', () =>
    atSite({ rows: 4 }, async (site) => {
      const mapping = join(site.folder, 'mapping.yaml');
      const comments = 'comments: [{ name: origin, text: "Record {ID}" }]\n';
      writeFileSync(mapping, readFileSync(mapping, 'utf8') + comments);
      site.sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', kind: 'dropAfter' });
      const first = await site.longshore([
        'import',
        site.people.pipeline,
        '--workspace',
        site.sandbox.baseUrl,
      ]);
      expect(first.code).toBe(3);
      const [, list = '', run = ''] =
        /uncertain comments of 1 row are there, .* in (\S+), then:\n {4}npx longshore retry (\S+) --decided \1 /.exec(
          first.stdout,
        ) ?? [];
      const [header, line, ...rest] = readFileSync(list, 'utf8').trimEnd().split('\n');
      expect(header).toBe('resend,_run,_line,_key,contactId,identifier,step,text,sentAt');
      expect(line?.replace(`,${run},`, ',RUN,')).toMatch(
        /^,RUN,(\d),(\d),(\d+),id:\3,comment origin,Record \2,\d{4}-\d\d-\d\dT[\d:.]+Z$/,
      );
      expect(rest).toEqual([]);
      const page = readFileSync(list.replace('uncertain.csv', 'report.html'), 'utf8');
      expect(page).toContain('<a href="uncertain.csv">uncertain.csv</a>');
      expect(page).toContain('Whether 1 comment is in the workspace');
      const still = await site.longshore(['retry', run, '--json']);
      expect(still).toMatchObject({ code: 3, stderr: '' });
      expect(rowsOf(still.stdout)).toEqual({ read: 1, uncertain: 1 });
      expect(site.sandbox.contacts().flatMap(({ comments: made }) => made)).toHaveLength(3);
      const resent = await site.longshore(['retry', '--resend', '--json']);
      expect(resent.code).toBe(0);
      expect(rowsOf(resent.stdout).read).toBe(1);
      expect(JSON.parse(resent.stdout).files.uncertain).toBeUndefined();
      expect(site.sandbox.contacts().flatMap(({ comments: made }) => made)).toHaveLength(4);
      expect((await site.longshore(['retry', '--resend'])).stdout).toContain('Nothing to retry: ');
    }));

  it('tags of contacts: a list for a manual import', () =>
    atSite({ rows: 4 }, async (site) => {
      const mapping = join(site.folder, 'mapping.yaml');
      writeFileSync(mapping, `${readFileSync(mapping, 'utf8')}tags: { from: Last, attach: file }\n`);
      const { files } = JSON.parse((await site.import()).stdout);
      const lines = readFileSync(files.contactTags, 'utf8').trimEnd().split('\n');
      expect(lines).toHaveLength(5);
      expect(lines[0]).toBe('contactId,email,phone,tags');
      expect(lines.some((line) => /^\d+,person0@example\.com,\+12015550000,Last0$/.test(line))).toBe(true);
      expect(readFileSync(files.report, 'utf8')).toContain('contact-tags.csv were attached');
    }));
});
