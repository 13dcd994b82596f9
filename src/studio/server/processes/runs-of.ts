import { hostname } from 'node:os';
import { withJournal } from '../../../app/run/find-run.ts';
import { journalExists, listRuns, listSessions } from '../../../journal/index.ts';
import type { ProcessRecord } from './record.ts';

const lately = 50;

/** Finds the run that a process works or has worked on: the journal knows the process of every session. */
export function runsOf(workDir: string): (record: ProcessRecord) => string | null {
  if (!journalExists(workDir)) return () => null;
  const sessions = withJournal(workDir, (file) =>
    listRuns(file, lately).flatMap(({ id, number }) =>
      listSessions(file, number).map(({ pid, host, startedAt }) => ({ run: id, pid, host, startedAt })),
    ),
  );
  return ({ pid, startedAt, endedAt }) => {
    const [from, to] = [
      Date.parse(startedAt),
      endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt),
    ];
    const own = sessions.find(
      (each) =>
        each.pid === pid && each.host === hostname() && each.startedAt >= from && each.startedAt <= to,
    );
    return own?.run ?? null;
  };
}
