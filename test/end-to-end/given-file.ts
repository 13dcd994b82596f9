import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builders } from '../sources/builders/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Ended } from './built.ts';
import { run } from './in-process.ts';
import { readCsv } from './scene.ts';

/** An input as it lies there: bytes, a folder in its place, or what writes it to a path. */
export type Content = Buffer | string | 'a folder' | ((path: string) => void);

export interface Given {
  readonly format: string;
  readonly file: string;
  readonly content: Content;
  /** Options of the source. */
  readonly options?: object;
}

/** What became of an input that was given to the real command. */
export interface Outcome {
  readonly code: number | null;
  /** The error and what to do about it, each on a line of its own; DIR is the folder of the input. */
  readonly says: string;
  /** The codes of rejects.csv with their lines; null where there was no run. */
  readonly rejected: readonly (readonly [line: string, code: string])[] | null;
  /** What is left in the folder for copies and unpacked files. */
  readonly spooled: readonly string[];
}

const otherwise = { id: 'id', name: 'name' };

/** Runs a command to its end. */
type RunTo<E extends Ended> = (args: readonly string[]) => Promise<E>;

/** Gives an input to `check` or `import --workspace sandbox`, under a mapping of the shared suite's columns. */
export async function given(command: 'check' | 'import', input: Given): Promise<Outcome> {
  return (await givenTo(run, command, input)).outcome;
}

/** The same by another way to run the command, with how that ended. */
export async function givenTo<E extends Ended>(
  runTo: RunTo<E>,
  command: 'check' | 'import',
  { format, file, content, options }: Given,
): Promise<{ readonly outcome: Outcome; readonly ended: E }> {
  const folder = temporaryFolder();
  const at = (...names: string[]) => join(folder.path, ...names);
  try {
    if (content === 'a folder') mkdirSync(at(file));
    else if (typeof content === 'function') content(at(file));
    else writeFileSync(at(file), content);
    const { id, name } = builders[format]?.columns ?? otherwise;
    const contact = { firstName: { from: name }, email: { from: id } };
    const source = { format, path: file, ...builders[format]?.options, ...options };
    // JSON is YAML.
    writeFileSync(at('mapping.yaml'), JSON.stringify({ mapping: 'people', key: id, contact }));
    const pipeline = { pipeline: 'people', import: { source, mapping: 'mapping.yaml' } };
    writeFileSync(at('pipeline.yaml'), JSON.stringify(pipeline));
    const args = [command, at('pipeline.yaml'), '--work-dir', at('work')];
    if (command === 'import') args.push('--workspace', 'sandbox', '--json');
    const ended = await runTo(args);
    const { code, stderr, stdout } = ended;
    const [says = ''] = /(?<=^error: |^ERROR {2}).*\n +.*/m.exec(stderr + stdout) ?? [];
    const outcome = {
      code,
      says: says.replaceAll(folder.path, 'DIR').replace(/\n +/, '\n'),
      rejected: rejectedIn(at('work', 'runs')),
      spooled: existsSync(at('work', 'spool')) ? readdirSync(at('work', 'spool')) : [],
    };
    return { outcome, ended };
  } finally {
    folder.remove();
  }
}

function rejectedIn(runs: string): Outcome['rejected'] {
  if (!existsSync(runs)) return null;
  return readdirSync(runs).flatMap((name) => {
    const file = join(runs, name, 'rejects.csv');
    return existsSync(file) ? readCsv(file).map((row) => [row._line ?? '', row._code ?? ''] as const) : [];
  });
}
