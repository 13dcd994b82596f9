import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../../dist/command/main.js', import.meta.url));
const sessionHeader = 'x-longshore-session';

/** Opens a studio in a process of its own for as long as `use` takes, and a session in it. */
export async function withStudio(folder, use) {
  const child = spawn(process.execPath, [command, 'studio', folder, '--no-open', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LONGSHORE_WORK_DIR: '' },
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const memory = watchMemory(child.pid);
  try {
    const { url } = JSON.parse(await firstJson(child.stdout));
    const { origin } = new URL(url);
    const begun = await fetch(`${origin}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: url.split('/').at(-1) }),
    });
    const { token } = await begun.json();
    const headers = { 'content-type': 'application/json', [sessionHeader]: token };
    return await use({
      ...{ origin, token, memory },
      /** The first event of a question for which `isWanted`, and the ms until it came; then nobody hears it any more. */
      async until(path, question, isWanted) {
        const gone = new AbortController();
        const since = performance.now();
        const body = JSON.stringify(question);
        const response = await fetch(origin + path, { method: 'POST', headers, body, signal: gone.signal });
        for await (const event of eventsOf(response)) {
          if (!isWanted(event)) continue;
          const ms = performance.now() - since;
          gone.abort();
          return { event, ms };
        }
        throw new Error(`${path} ended without what was asked for`);
      },
    });
  } finally {
    memory.stop();
    process.off('exit', end);
    end();
  }
}

async function firstJson(stdout) {
  let text = '';
  for await (const piece of stdout) {
    text += piece;
    if (text.trimEnd().endsWith('}')) return text;
  }
  throw new Error(`the studio ended: ${text}`);
}

async function* eventsOf(response) {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  let text = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (text + piece).split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      if (part.startsWith('event: problem')) throw new Error(part);
      if (part.startsWith('data: ')) yield JSON.parse(part.slice('data: '.length));
    }
  }
}

/** The most memory (MiB) of a process, and of the largest that it has started; undefined where the system does not say. */
function watchMemory(pid) {
  const most = { own: undefined, jobs: undefined };
  const larger = (before, now) => (now === undefined ? before : Math.max(before ?? 0, now));
  const look = () => {
    most.own = larger(most.own, peakOf(pid));
    for (const child of childrenOf(pid)) most.jobs = larger(most.jobs, peakOf(child));
  };
  const timer = setInterval(look, 50);
  return {
    stop: () => clearInterval(timer),
    most() {
      look();
      return most;
    },
  };
}

function peakOf(pid) {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : Number(kib) / 1_024;
  } catch {
    return undefined; // it has ended, or this is another system
  }
}

function childrenOf(pid) {
  try {
    const ofThread = (thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim();
    const all = readdirSync(`/proc/${pid}/task`).map(ofThread);
    return all.flatMap((text) => text.split(/\s+/).filter(Boolean));
  } catch {
    return [];
  }
}
