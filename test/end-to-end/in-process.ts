import { Writable } from 'node:stream';
import type * as OutputModule from '../../src/app/run/terminal/output.ts';
import type * as RunTypedModule from '../../src/cli/run-typed.ts';
import { type Ended, main } from './built.ts';

const built = async (name: string) => await import(new URL(`../../dist/${name}`, import.meta.url).href);

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command to its end in this process, as `run` of command.ts does in one of its own: with its own words,
 * variables, folder and output. One after the other: what a folder or a variable is, is the same for a whole process.
 */
export function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  _stdin?: undefined,
  cwd = process.cwd(),
): Promise<Ended> {
  const ended = last.then(() => runHere(args, env, cwd));
  last = ended.catch(() => undefined);
  return ended;
}

async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Promise<Ended> {
  const {
    Output,
    output,
    redirectOutput: printTo,
  }: typeof OutputModule = await built('app/run/terminal/output.js');
  const { runProgram: runTyped }: typeof RunTypedModule = await built('cli/run-typed.js');
  const out = new Kept();
  const err = new Kept();
  const leave = enter(
    { LONGSHORE_BASE_URL: undefined, LONGSHORE_TOKEN: undefined, NO_COLOR: '1', ...env },
    cwd,
  );
  process.argv = [process.execPath, main, ...args];
  printTo(new Output(out, err, process.env));
  try {
    const code = await runTyped(args);
    return { code, signal: null, stdout: out.text, stderr: err.text };
  } finally {
    printTo(output);
    leave();
  }
}

/** Puts this process into a folder with these variables; returns what puts it back. */
function enter(env: Readonly<Record<string, string | undefined>>, cwd: string): () => void {
  const { argv } = process;
  const from = process.cwd();
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  set(Object.entries(env));
  process.chdir(cwd);
  return () => {
    process.argv = argv;
    process.chdir(from);
    set(before);
  };
}

function set(variables: readonly (readonly [name: string, value: string | undefined])[]): void {
  for (const [name, value] of variables) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** A stream that is no terminal, and keeps what is written to it. */
class Kept extends Writable {
  #pieces: Buffer[] = [];

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }
}
