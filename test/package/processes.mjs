import { spawn } from 'node:child_process';

/** Runs a program to its end; throws with everything it said where it ends with a code that is not expected. */
export async function execute(command, args, { cwd, env = {}, codes = [0] }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited(), NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (codes.includes(code)) return { code, ...output };
  throw new Error(`${command} ${args.join(' ')} ended with ${code}.\n${output.stdout}${output.stderr}`);
}

// What this npm has set for its own script must not reach the commands inside: a prefix above all.
function inherited() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|LONGSHORE_|NODE_OPTIONS$)/i.test(name)),
  );
}
