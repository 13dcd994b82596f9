import { spawn } from 'node:child_process';

/** Runs a program to its end; throws with everything it said where it ends with a code that is not expected. */
export async function execute(command, args, { cwd, env = {}, codes = [0] }) {
  const { output, closed } = start(command, args, { cwd, env });
  const code = await closed;
  if (codes.includes(code)) return { code, ...output };
  throw new Error(`${command} ${args.join(' ')} ended with ${code}.\n${output.stdout}${output.stderr}`);
}

/** Starts a program that serves until it is stopped; `says` waits for what it prints. */
export function serve(command, args, { cwd, env = {} }) {
  const { child, output, closed } = start(command, args, { cwd, env });
  return {
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output.stdout);
          if (found !== null) resolve(found);
        };
        child.stdout.on('data', look);
        closed.then((code) => reject(new Error(`${command} ended with ${code}.\n${output.stderr}`)), reject);
      }),
    async stop() {
      child.kill('SIGTERM');
      return { code: await closed, stderr: output.stderr };
    },
    kill: () => child.kill('SIGKILL'),
  };
}

function start(command, args, { cwd, env }) {
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
  const closed = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { child, output, closed };
}

// What this npm has set for its own script must not reach the commands inside: a prefix above all.
function inherited() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|LONGSHORE_|NODE_OPTIONS$)/i.test(name)),
  );
}
