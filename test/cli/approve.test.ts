import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import type { Running } from '../end-to-end/command.ts';
import { atSite, rowsOf, type Site } from './site.ts';

/** The e-mail of row 0 is one contact, its phone another. */
const conflict = [
  { firstName: 'First', email: 'person0@example.com' },
  { firstName: 'F.', phone: '+12015550000' },
];

/** Proposes the merge of row 0; returns what the command said, and the file with an answer under approve. */
async function propose(site: Site, answer: string) {
  site.sandbox.add({ contacts: conflict });
  const { pipeline } = site.people;
  const proposed = await site.longshore(['import', pipeline, '--workspace', site.sandbox.baseUrl]);
  expect(proposed.code).toBe(3);
  const [written = ''] = /\S+merge-proposals\.csv$/m.exec(proposed.stdout) ?? [];
  // As a spreadsheet saves it.
  const text = readFileSync(written, 'utf8').replace('\n,2,', `\n${answer},2,`);
  const path = join(site.folder, 'decided.csv');
  writeFileSync(path, `\ufeff${text.replaceAll(',', ';').replaceAll('\n', '\r\n')}`);
  return { proposed, written, path };
}

function merges({ sandbox }: Site) {
  return sandbox.log.filter(({ path }) => path === '/contact/merge');
}

describe.concurrent('import --approve', () => {
  it('is what an import with proposals says to type, and merges what was approved', () =>
    atSite({ rows: 8 }, async (site) => {
      const { proposed, written, path } = await propose(site, 'Yes');
      const flags = `--workspace ${site.sandbox.baseUrl} --work-dir ${site.workDir}`;
      expect(proposed.stdout).toContain(
        `  Open ${written}, write yes under "approve" where two contacts are one person, then:\n` +
          `    npx longshore import ${site.people.pipeline} --approve ${written} ${flags}\n`,
      );
      expect(merges(site)).toEqual([]);
      const approved = await site.import('--approve', path);
      expect(approved).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(approved.stdout)).toEqual({ read: 1, merged: 1 });
      expect(JSON.parse(approved.stdout).selection).toMatchObject({ kind: 'approve', file: path });
      expect(merges(site)).toHaveLength(1);
      site.expectExact();
      expect((await site.longshore(['runs'])).stdout).toMatch(/0 {2}answered rows\n/);
      const retry = await site.longshore(['retry', JSON.parse(approved.stdout).run]);
      expect(retry).toMatchObject({ code: 2, stdout: '' });
      expect(retry.stderr).toContain('applied only answered rows: it has no rows to retry.');
      expect(retry.stderr).toContain(
        `npx longshore import ${site.people.pipeline} --approve ${path} ${flags}`,
      );
    }));

  it('sends nothing where the file says nothing for sure', () =>
    atSite({ rows: 4 }, async (site) => {
      const { path } = await propose(site, 'maybe');
      site.sandbox.resetLog();
      const doubtful = await site.import('--approve', path);
      expect(doubtful).toMatchObject({ code: 2, stdout: '' });
      expect(doubtful.stderr).toBe(
        `error: ${path}:2: "maybe" under "approve" is neither yes nor no.\n  Write yes to approve the merge, or leave the cell empty.\n`,
      );
      expect(site.sandbox.log).toEqual([]);
    }));

  it('is resumed with the file that it began with, and with no other', () => {
    let victim: Running | undefined;
    // Merged, and nobody heard of it.
    const onPhase: SandboxOptions['onPhase'] = (phase, { template }) => {
      if (phase === 'applied' && template === '/contact/merge') victim?.process.kill('SIGKILL');
    };
    return atSite({ rows: 4, onPhase }, async (site) => {
      const { path } = await propose(site, 'yes');
      victim = site.begin([
        'import',
        site.people.pipeline,
        '--approve',
        path,
        '--workspace',
        site.sandbox.baseUrl,
      ]);
      expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' });
      const decided = readFileSync(path, 'utf8');
      writeFileSync(path, `${decided}\r\n`);
      const refused = await site.longshore(['resume']);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(/decided\.csv: the file has changed since run \S+ started\./);
      writeFileSync(path, decided);
      const resumed = await site.longshore(['resume', '--json']);
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      expect(rowsOf(resumed.stdout)).toEqual({ read: 1, merged: 1 });
      expect(merges(site)).toHaveLength(1);
      site.expectExact();
    });
  });
});

describe.concurrent('import --deferred', () => {
  it('of a pipeline that defers nothing says so', () =>
    atSite({ rows: 4 }, async (site) => {
      const ended = await site.import('--deferred');
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('this pipeline defers no steps: its key "deferred" is empty.');
      expect(site.sandbox.log).toEqual([]);
    }));

  it('is offered after an import that deferred steps, and no more once it is done', () =>
    atSite({ rows: 4 }, async (site) => {
      const mapping = join(site.folder, 'mapping.yaml');
      const stage =
        'lifecycle: { from: Last, values: { Last0: New Lead }, stages: [New Lead, Last1, Last2, Last3] }\n';
      writeFileSync(mapping, readFileSync(mapping, 'utf8') + stage);
      const pipeline = readFileSync(site.people.pipeline, 'utf8');
      writeFileSync(site.people.pipeline, `${pipeline}  deferred: [lifecycle]\n`);
      const command = ['import', site.people.pipeline, '--workspace', site.sandbox.baseUrl];
      const typed = `npx longshore import ${site.people.pipeline} --deferred --workspace`;
      const first = await site.longshore(command);
      expect(first.stdout).toContain('The pipeline defers lifecycle; to run it for the same rows:\n');
      expect(first.stdout).toContain(typed);
      const page = readFileSync(/\S+report\.html$/m.exec(first.stdout)?.[0] ?? '', 'utf8');
      expect(page).toContain(' --deferred ');
      const held = await site.longshore([...command, '--deferred']);
      expect(held.stdout).toContain('Only the deferred steps.');
      expect(held.stdout).not.toContain(typed);
      expect(site.sandbox.contacts().map(({ lifecycle }) => lifecycle)).not.toContain(null);
      const again = await site.longshore(command);
      expect(again.stdout).toContain('Finished: nothing to change in 4 rows.');
      expect(again.stdout).not.toContain(typed);
      expect((await site.longshore(['runs'])).stdout).toMatch(/0 {2}deferred steps\n/);
    }));
});
