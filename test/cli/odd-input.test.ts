import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atSite, rowsOf } from './site.ts';

const header = 'ID,First,Last,Email,Phone,Score\n';

describe.concurrent('an input that is odd and loses nothing', () => {
  it('of a header only is imported in no time', () =>
    atSite({}, async (site) => {
      writeFileSync(join(site.folder, 'people.csv'), header);
      const ended = await site.import();
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(ended.stdout)).toEqual({});
      expect(JSON.parse(ended.stdout).outcome).toBe('finished');
      expect(site.sandbox.log.filter(({ method }) => method !== 'GET')).toEqual([]);
    }));

  it('of 20,000 ragged lines: each is a rejected row with its line and raw text, and the good ones go in', () =>
    atSite({}, async (site) => {
      const lines = Array.from({ length: 20_000 }, (_, n) =>
        n % 2_000 === 0
          ? `g${n},Good,Row,good${n}@example.com,,1`
          : `${n},Ragged,row ${n}${',x'.repeat(n % 3 === 0 ? 9 : 1)}`,
      );
      writeFileSync(join(site.folder, 'people.csv'), header + lines.join('\n'));
      const pipeline = readFileSync(site.people.pipeline, 'utf8');
      writeFileSync(site.people.pipeline, `${pipeline}  policy: { maxErrors: 100% }\n`);
      const ended = await site.import();
      expect(ended).toMatchObject({ code: 3, stderr: '' });
      expect(rowsOf(ended.stdout)).toEqual({ read: 20_000, created: 10, rejected: 19_990 });
      const { files } = JSON.parse(ended.stdout);
      const rejects = readFileSync(files.rejects, 'utf8').trimEnd().split('\n');
      expect(rejects).toHaveLength(19_991);
      expect(rejects[1]).toMatch(/^,{6}\S+:\S+,3,row\.ragged,,".*","1,Ragged,row 1,x"$/);
      expect(Object.keys(files).sort()).toEqual(['contacts', 'log', 'rejects', 'report', 'summary']);
    }));

  it('with a custom field to create: it is created once, before the rows', () =>
    atSite({ rows: 8 }, async (site) => {
      const path = join(site.folder, 'mapping.yaml');
      const rule = '  Legacy ID: { from: ID, type: text, create: true }\n';
      writeFileSync(path, readFileSync(path, 'utf8') + rule);
      expect(await site.import()).toMatchObject({ code: 0, stderr: '' });
      const created = site.sandbox.log.filter(({ template }) => template === '/space/custom_field');
      expect(created.filter(({ method }) => method === 'POST')).toHaveLength(1);
      const values = site.sandbox.contacts().flatMap(({ custom_fields }) => custom_fields);
      expect(values.filter(({ name }) => name === 'Legacy ID')).toHaveLength(8);
      expect((await site.import()).code).toBe(0);
      expect(site.sandbox.counts()['POST /space/custom_field']?.requests).toBe(1);
    }));

  it('--quiet shows nothing of a success, and errors still', () =>
    atSite({ rows: 4 }, async (site) => {
      const command = ['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl, '--quiet'];
      expect(await site.longshore(command)).toMatchObject({ code: 0, stdout: '', stderr: '' });
      writeFileSync(join(site.folder, 'people.csv'), '');
      const failed = await site.longshore(command);
      expect(failed).toMatchObject({ code: 2, stdout: '' });
      expect(failed.stderr).toContain('is empty');
    }));
});
