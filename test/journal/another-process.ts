import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

type Process = ChildProcessByStdio<null, Readable, null>;

// Another process is the built program: Node 20 runs no TypeScript.
const built = new URL('../../dist/', import.meta.url);

/** A process that writes a line, opens the journal of a work dir, closes it, and ends. */
export function openElsewhere(dir: string): Process {
  return run(`console.log('opening'); openJournalDatabase(dir).close();`, [dir]);
}

/** A process that takes a lock, writes a line when it has it, and keeps it until it is killed. */
export function lockElsewhere(dir: string, name: string): Process {
  return run(
    // Whoever drops a lock may lose it to the garbage collection.
    `const lock = takeLock(openJournalDatabase(dir), dir, name, { now: Date.now });
     console.log('held');
     setInterval(() => lock.beat(), 60_000);`,
    [dir, name],
  );
}

function run(code: string, args: readonly string[]): Process {
  const script = `
    import { openJournalDatabase, takeLock } from ${JSON.stringify(new URL('journal/index.js', built).href)};
    const [, dir, name] = process.argv;
    ${code}`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
