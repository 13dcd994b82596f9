import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  findWorkspacePlace,
  type JournalDatabase,
  listSessions,
  type RunRecord,
} from '../../../journal/index.ts';
import { escapeControlCharacters, toSingleLine } from '../../../model/escape-controls.ts';
import type { RunSummaryBase } from '../../../report/account.ts';
import { readSummaryBase } from '../../../report/account.ts';
import { formatCount, formatDuration, formatQuantity } from '../../../report/figures.ts';
import { runFileNames } from '../../../report/file-names.ts';
import { alignColumns, createTerminalStyler } from '../../../report/layout.ts';
import { toSessionSummaries } from '../../../report/sessions.ts';
import { summariseSpeed } from '../../../report/speed.ts';
import { writeFileAtomically } from '../../../report/whole-file.ts';
import type { Manifest, ManifestFile } from '../folder/manifest.ts';

/** What `summary.json` of an export holds, and standard output under `--json`. */
export interface ExportSummary extends RunSummaryBase {
  /**
   * The number of records by kind: for contacts, all that were fetched; for other kinds, the records written. Null if
   * no export was published.
   */
  readonly counts: Readonly<Record<string, number>> | null;
  /** The folder of the export; null if none was published. */
  readonly folder: string | null;
  /** True for a full export, false for an incremental one; null if none was published. */
  readonly full: boolean | null;
  /** The number of contacts that could not be read completely, or whose messages could not. */
  readonly unreadable: number;
  /** The error that stopped the export; null if none did. */
  readonly message: string | null;
  /** Its base URL, or sandbox:ID. */
  readonly workspace: string;
  /** The files of the export, as its manifest lists them. */
  readonly written: readonly Pick<ManifestFile, 'name' | 'rows' | 'bytes' | 'sha256'>[];
  /** The command that continues it; null where nothing is left to continue. */
  readonly next: string | null;
  /** Paths of the written files by kind of record, and those of `manifest`, `log`, `report` and `summary`. */
  readonly files: Readonly<Record<string, string>>;
}

/** Returns the summary of an export. */
export function createExportSummary(
  file: JournalDatabase,
  run: RunRecord,
  {
    runDir,
    manifest,
    next,
  }: {
    readonly runDir: string;
    readonly manifest: Manifest | undefined;
    readonly next: string | undefined;
  },
): ExportSummary {
  const { folder } = run;
  const { head, requests } = readSummaryBase(file, run);
  const { selection: _, message, ...told } = head;
  const sessions = listSessions(file, run.number);
  const written = (manifest?.files ?? []).map(({ kind, name }) => [kind, join(folder ?? '', name)] as const);
  const log = join(runDir, runFileNames.log);
  return {
    ...told,
    headline: headlineOf(run, manifest, head.outcome),
    workspace: findWorkspacePlace(file, run.workspace) ?? '',
    counts: run.counts,
    folder,
    full: manifest?.full ?? null,
    unreadable: manifest?.unreadable.length ?? 0,
    message,
    written: (manifest?.files ?? []).map(({ name, rows, bytes, sha256 }) => ({ name, rows, bytes, sha256 })),
    next: next ?? null,
    requests,
    speed: summariseSpeed(sessions, requests, head.seconds),
    sessions: toSessionSummaries(run, sessions),
    knownLimits: manifest?.cannotKnow ?? [],
    files: {
      ...Object.fromEntries(written),
      ...(folder !== null && { manifest: join(folder, 'manifest.json') }),
      ...(existsSync(log) && { log }),
      report: join(runDir, runFileNames.report),
      summary: join(runDir, runFileNames.summary),
    },
  };
}

function headlineOf(
  { counts, folder }: RunRecord,
  manifest: Manifest | undefined,
  outcome: ExportSummary['outcome'],
): string {
  if (counts === null || folder === null || manifest === undefined) return `No export written: ${outcome}.`;
  const contacts = counts.contacts ?? counts.changes;
  const what = contacts === undefined ? undefined : formatQuantity(contacts, 'contact');
  if (manifest.full) return what === undefined ? 'Exported.' : `Exported ${what}.`;
  return `Exported what is new${what === undefined ? '' : `; ${what} in the workspace`}.`;
}

/** Writes summary.json and report.html of an export. */
export async function writeExportReportFiles(
  runDir: string,
  summary: ExportSummary,
  page: string,
  scrub: (text: string) => string,
): Promise<void> {
  await writeFileAtomically(join(runDir, runFileNames.report), [scrub(page)]);
  await writeFileAtomically(join(runDir, runFileNames.summary), [
    escapeControlCharacters(scrub(`${JSON.stringify(summary, null, 2)}\n`)),
  ]);
}

const ends: Readonly<Record<ExportSummary['outcome'], string>> = {
  finished: 'has finished',
  stopped: 'was stopped',
  interrupted: 'was interrupted',
  failed: 'failed',
};

/** Returns the result of an export as text; ends with a line break. */
export function renderExportResult(
  summary: ExportSummary,
  view: { readonly colour: boolean; readonly again: string | undefined },
): string {
  const ink = createTerminalStyler(view.colour);
  const { counts, folder, unreadable, seconds } = summary;
  if (folder === null || counts === null) {
    const goOn = view.again === undefined ? '' : `\nContinue with: ${view.again}`;
    return `${ink.tone('look', '!')} No export written: run ${summary.run} ${ends[summary.outcome]}.${goOn}\n`;
  }
  const what = summary.full ? 'Exported' : 'Exported what is new';
  const where = (kind: string) => (kind in summary.files ? kind : `${kind} in the workspace`);
  const lines = Object.entries(counts).map(([kind, n]) => ['', where(kind), formatCount(n)]);
  const warning =
    unreadable === 0
      ? ''
      : `\n${ink.tone('look', '!')} ${formatQuantity(unreadable, 'contact')} could not be read completely; see manifest.json. The next export reads them again.`;
  return [
    `${ink.tone('good', '✔')} ${what} in ${formatDuration(seconds)}: ${ink.bold(toSingleLine(folder))}`,
    ...alignColumns(lines, [2]),
    `${ink.dim('Files, checksums and known limits:')} ${toSingleLine(join(folder, 'manifest.json'))}${warning}`,
    '',
  ].join('\n');
}
