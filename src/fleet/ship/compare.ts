import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { type JournalDatabase, openJournalDatabase, toJournalPath } from '../../journal/index.ts';
import { commandWithoutFlags, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { isSqliteError } from '../../storage/sqlite.ts';

/** SQL: a step with a response. Its intent was in the database before the step was sent. */
const answered = `state IN ('acked', 'refused')`;
/** SQL: a step that may have been sent. */
const maybeSent = `state <> 'planned'`;

/**
 * True if the local journal has everything of the shipped one, and more, because the database was restored from a
 * backup. Throws a FatalError (usage) if each has requests that the other lacks. This process must not have the journal
 * open.
 */
export function isLocalJournalNewer(workDir: string, workspace: string, shipped: string): boolean {
  const file = openLocal(workDir);
  if (file === undefined) return false;
  try {
    file.prepare('ATTACH ? AS shipped').run(shipped);
    const here = knowsMore(
      file,
      'main',
      'shipped',
      `(run.kind = 'export' AND run.state = 'finished')`,
      answered,
    );
    const there = knowsMore(file, 'shipped', 'main', `run.kind = 'export'`, maybeSent);
    if (here && there) throw apart(workDir, workspace);
    return here || (!there && lastSessionIsLonger(file));
  } finally {
    file.close();
  }
}

/** Opens the journal of a work dir; undefined for a missing or unreadable one. */
function openLocal(workDir: string): JournalDatabase | undefined {
  if (!existsSync(toJournalPath(workDir))) return undefined;
  try {
    return openJournalDatabase(workDir, { shipped: true });
  } catch (error) {
    if (error instanceof FatalError || isSqliteError(error)) return undefined;
    throw error;
  }
}

/**
 * True if the journal `one` has a session that `other` lacks and that matters: the session's run meets the SQL
 * condition `exported`, or a step of this run, sent since the session began, meets `sent`.
 */
function knowsMore(
  file: JournalDatabase,
  one: string,
  other: string,
  exported: string,
  sent: string,
): boolean {
  return has(
    file,
    `SELECT 1 FROM ${one}.session JOIN ${one}.run ON run.number = session.run
     WHERE NOT EXISTS (
       SELECT 1 FROM ${other}.session s JOIN ${other}.run r ON r.number = s.run
       WHERE r.id = run.id AND s.started_at = session.started_at AND s.pid = session.pid AND s.host = session.host)
     AND (${exported} OR EXISTS (
       SELECT 1 FROM ${one}.step WHERE step.run = run.number AND sent_at >= session.started_at AND ${sent}))`,
  );
}

/**
 * True if the latest run has, in the local journal, a response to a request that was sent after all its requests in the
 * shipped journal.
 */
function lastSessionIsLonger(file: JournalDatabase): boolean {
  return has(
    file,
    `SELECT 1 FROM main.run here JOIN shipped.run there ON there.id = here.id
     WHERE here.number = (SELECT run FROM main.session ORDER BY number DESC LIMIT 1)
     AND (SELECT max(sent_at) FROM main.step WHERE run = here.number AND ${answered}) >
       -- The steps of a finished run may have been pruned.
       (SELECT coalesce(max(sent_at), CASE WHEN there.state <> 'finished' THEN 0 END)
        FROM shipped.step WHERE run = there.number)`,
  );
}

function has(file: JournalDatabase, query: string): boolean {
  return file.prepare<[], { found: number }>(`SELECT EXISTS (${query}) AS found`).get()?.found === 1;
}

function apart(workDir: string, workspace: string): FatalError {
  return new FatalError(
    'usage',
    `the journal of ${workspace} on the machine ${hostname()} and the one in the database have gone different ways: each has requests that the other does not know. The database was set back or replaced.`,
    {
      place: { file: workDir },
      next: hint`To continue with the journal of the database, move the folder ${workDir} away on ${hostname()}, then: ${commandWithoutFlags('fleet', 'retry', workspace)}. Comments that were sent from here since may be sent again.`,
    },
  );
}
