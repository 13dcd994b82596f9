import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { thisMachine } from '../../../report/liveness.ts';

/** Where the fields of a process begin that stand behind its name, which may have blanks and brackets. */
const state = 0;
const startTime = 19;

/**
 * When a process began, as its system says it: with its number that is one process and no other. Undefined where there is
 * none, or only what is left of one that has ended.
 */
export function birthOf(pid: number): string | undefined {
  if (process.platform === 'linux') return fromProc(pid);
  if (process.platform === 'win32') return thisMachine.alive(pid, 0) ? 'unknown' : undefined;
  return fromPs(pid);
}

function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[state] === 'Z' ? undefined : fields[startTime];
  } catch {
    // There is no such process.
    return undefined;
  }
}

function fromPs(pid: number): string | undefined {
  try {
    const said = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return said === '' || said.startsWith('Z') ? undefined : said.replace(/^\S+\s+/, '');
  } catch {
    // `ps` fails where there is no such process.
    return undefined;
  }
}
