import { type Dirent, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** What a file of a work dir is, and so what becomes of it when a person is forgotten. */
export type FileKind =
  /** The journal. */
  | 'journal'
  /** A CSV file of a run: the person's lines go. */
  | 'list'
  /** A text of a run: what names the person is taken out. */
  | 'text'
  /** report.html: that of an import is written again from the journal. */
  | 'page'
  /** The copy of a plan that a run keeps. */
  | 'plan'
  /** What an export remembers for the next one. */
  | 'syncState'
  /** What an unfinished export has fetched: it is fetched again. */
  | 'staging'
  /** The copy of a workspace that a run reads. */
  | 'copy'
  /** Built again from the input or the workspace when it is needed: removed. */
  | 'rebuilt'
  /** The local workspace: the person's contact goes. */
  | 'workspace'
  /** The lock of a run, which is open while it is held: never read, because closing it would drop the lock. */
  | 'lock'
  /** Never holds anything of a person. */
  | 'nothing';

/** Every file that this program writes into a work dir, by its path there. */
const kinds: readonly (readonly [pattern: RegExp, kind: FileKind])[] = [
  [/^journal\.db$/, 'journal'],
  [/^sandbox\.db$/, 'workspace'],
  [/^locks\/[^/]+\.lock$/, 'lock'],
  [/^fleet-workspace(\.part)?$/, 'nothing'],
  [/^runs\/[^/]+\/report\.html$/, 'page'],
  [/^runs\/[^/]+\/staging\.db$/, 'staging'],
  [/^runs\/[^/]+\/[^/]+\.csv$/, 'list'],
  [/^runs\/[^/]+\/summary\.json$/, 'text'],
  [/^runs\/[^/]+\/verification(-all)?\.(html|json)$/, 'text'],
  [/^runs\/[^/]+\/log(\.\d+)?\.ndjson$/, 'text'],
  // What somebody has typed into the studio's page, which is in the list of the same name, too.
  [/^runs\/[^/]+\/(corrected-rejects|decided-comments)\.json$/, 'rebuilt'],
  // Half a file that a killed command left: nobody reads it any more.
  [/^runs\/[^/]+\/\.[^/]+\.part$/, 'rebuilt'],
  [/^spool\/[^/]+\.plan\.db$/, 'plan'],
  [/^spool\/workspace-[0-9a-f]+\.db$/, 'copy'],
  [/^spool\//, 'rebuilt'],
  // What `rehearse --keep` has left: a work dir of its own.
  [/^rehearsals\//, 'rebuilt'],
  // What a command printed that the studio started: the lists of the run have it, too.
  [/^studio\/processes\/[^/]+\/(stdout|stderr|\.process\.json\.part)$/, 'rebuilt'],
  [/^studio\/processes\/[^/]+\/process\.json$/, 'text'],
  // A plan that was kept to look at: it is made again.
  [/^plans\//, 'rebuilt'],
  // A copy of a file that somebody sent from the page, and has themselves.
  [/^studio\/uploads\//, 'rebuilt'],
  [/^exports\/[^/]+\/[^/]+\.db$/, 'syncState'],
];

/** What SQLite keeps beside a database belongs to it. */
const beside = /-(wal|shm|journal)$/;

/** A file of a work dir. */
export interface WorkFile {
  readonly path: string;
  /** From the work dir, with slashes. */
  readonly name: string;
  /** Undefined for a file that is not ours. */
  readonly kind: FileKind | undefined;
}

/** All files of a work dir but those that SQLite keeps beside its own; links are not followed. */
export function workFiles(workDir: string): readonly WorkFile[] {
  const files: WorkFile[] = [];
  for (const entry of readdirSync(workDir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = pathOf(entry);
    const name = relative(workDir, path).split(sep).join('/');
    if (!beside.test(name)) files.push({ path, name, kind: fileKind(name) });
  }
  return files.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function pathOf({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}

/** What a file of a work dir is, by its path there; undefined for one that is not ours. */
export function fileKind(name: string): FileKind | undefined {
  return kinds.find(([pattern]) => pattern.test(name))?.[1];
}
