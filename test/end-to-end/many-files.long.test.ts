import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Packed, tarGz, zip } from '../sources/archive/packing.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './command.ts';

const few = 100;
const many = 300;

/** What the runtime writes down of its calls of the file system. */
const trace = z.object({
  traceEvents: z.array(
    z.object({
      cat: z.string(),
      name: z.string(),
      ph: z.string(),
      args: z.object({ path: z.string().optional() }).loose(),
    }),
  ),
});

interface Work {
  /** All calls of the file system. */
  readonly calls: number;
  /** How often a file is opened. */
  readonly opens: number;
  /** How often the input itself is. */
  readonly opensOfInput: number;
  readonly stdout: string;
}

const people = (count: number): readonly Packed[] =>
  Array.from({ length: count }, (_, n) => ({
    name: `people-${String(n).padStart(5, '0')}.csv`,
    content: `id,first_name,email\n${n},Ann,ann${n}@example.com\n`,
  }));

const writers: Readonly<Record<string, (path: string, files: readonly Packed[]) => void>> = {
  zip: (path, files) => writeFileSync(path, zip(...files)),
  'tar.gz': (path, files) => writeFileSync(path, tarGz(...files)),
  folder(path, files) {
    mkdirSync(path);
    for (const { name, content } of files) writeFileSync(join(path, name), content);
  },
};

describe.each(Object.entries(writers))('ten thousand small files in a %s', (kind, write) => {
  /** Drafts and checks an input of so many files, and counts the work. */
  const worked = async (count: number): Promise<Work> => {
    const { path: folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const input = join(folder, `input.${kind}`);
    write(input, people(count));
    const traced = (name: string) => ({
      NODE_OPTIONS: `--trace-event-categories=node.fs.sync,node.fs.async --trace-event-file-pattern=${join(folder, `${name}-\${pid}.trace`)}`,
    });
    const draft = await run(['draft', input], traced('draft'), undefined, folder);
    expect(draft).toMatchObject({ code: 0, stderr: '' });
    const [pipeline = ''] = readdirSync(join(folder, 'pipelines'));
    const check = await run(['check', join('pipelines', pipeline)], traced('check'), undefined, folder);
    expect(check).toMatchObject({ code: 0, stderr: '' });
    const begun = readdirSync(folder)
      .filter((name) => name.endsWith('.trace'))
      .flatMap((name) => trace.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))).traceEvents)
      .filter(({ cat, ph }) => cat.includes('node.fs') && /^b$/i.test(ph));
    const opens = begun.filter(({ name }) => name === 'open' || name === 'fs.sync.open');
    return {
      calls: begun.length,
      opens: opens.length,
      opensOfInput: opens.filter(({ args }) => args.path === input).length,
      stdout: check.stdout,
    };
  };

  it('are work that grows with their number, and an archive is not opened again for each', async () => {
    const [little, much] = [await worked(few), await worked(many)];
    const more = many - few;
    // A file is unpacked once, and looked through once where tables are found and once where their rows are counted.
    expect((much.calls - little.calls) / more).toBeLessThan(60);
    expect((much.opens - little.opens) / more).toBeLessThan(6);
    expect(much.opensOfInput).toBe(little.opensOfInput);
    expect(much.stdout).toContain('1 of 1 row pass');
  });
});
