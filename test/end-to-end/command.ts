import { type ChildProcess, spawn } from 'node:child_process';
import { type Ended, main } from './built.ts';

export { type Ended, main } from './built.ts';

/** The real command as a process of its own; `ended` resolves when it is gone. */
export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Starts the built command, with no settings of this machine's. */
export function start(
  args: readonly string[],
  env: Record<string, string> = {},
  stdin?: string,
  cwd?: string,
  stdout: 'pipe' | number = 'pipe',
): Running {
  const { LONGSHORE_BASE_URL: _url, LONGSHORE_TOKEN: _token, ...inherited } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...inherited, NO_COLOR: '1', ...env },
    ...(cwd === undefined ? {} : { cwd }),
    stdio: [stdin === undefined ? 'ignore' : 'pipe', stdout, 'pipe'],
  });
  child.stdin?.end(stdin);
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (piece: Buffer) => {
    output.stdout += piece.toString();
  });
  child.stderr?.on('data', (piece: Buffer) => {
    output.stderr += piece.toString();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
  return { process: child, ended };
}

/** Runs the built command to its end. */
export function run(...call: Parameters<typeof start>): Promise<Ended> {
  return start(...call).ended;
}
