import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isBaseUrl } from '../../model/base-url.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import { packageFolder } from '../../storage/package.ts';
import { createNoteListener } from '../run/caller.ts';
import { formatCommandLine } from '../run/command-line.ts';
import { findRememberedKeyStats } from '../run/find-run.ts';
import { openInteractiveClient } from '../run/open-client.ts';
import { announceWorkspace, type CommandContext, readRemoteTarget } from '../run/target.ts';
import { printWarning, type Screen } from '../run/terminal/screen.ts';
import { abortOnStopSignals } from '../run/terminal/stop-signals.ts';
import { prepareWorkDir } from '../run/work-dir.ts';
import { type DraftFile, type DraftOutput, draftFromInput } from './draft.ts';
import { type InputSettingTexts, parseInputSettings } from './input/stated.ts';
import { buildWorkspaceDraftFiles } from './own-export/draft-files.ts';
import {
  buildFieldEntriesFromDefinitions,
  type ExportedFieldDefinition,
} from './own-export/field-entries.ts';
import type { DraftFolders } from './pipeline-text.ts';
import { formatDraftResult } from './report/draft-text.ts';
import { buildDraftResult } from './result.ts';

/** The workspace that the drafted import reads. */
interface OldWorkspace {
  readonly baseUrl: string;
  /** The environment variable with its token. */
  readonly tokenEnv: string;
  readonly customFields: readonly ExportedFieldDefinition[];
}

const name = 'old-workspace';

/**
 * Drafts the import of a live workspace into another one: the shipped mapping, with all custom fields of the old
 * workspace.
 */
async function draftOfWorkspace(place: DraftFolders, workspace: OldWorkspace) {
  const { baseUrl, tokenEnv, customFields } = workspace;
  const options = { baseUrl, tokenEnv, messages: true };
  const { entries, leftOut } = buildFieldEntriesFromDefinitions(customFields, () => undefined);
  const files = await buildWorkspaceDraftFiles(place, name, {
    lines: [`Drafted from the workspace ${baseUrl}: ${customFields.length} custom fields.`],
    notes: [],
    fields: entries,
    messages: true,
    source: () => ({ format: 'workspace', ...options }),
  });
  const notes = [
    `Only the ${customFields.length} custom fields of the workspace were read.`,
    `The messages of a contact take at least one request; without messages: true in the pipeline, and comments in the mapping, no history is moved.`,
  ];
  return buildDraftResult(
    { name, format: 'workspace', options, filtered: { rows: 0, of: 0 }, notes, leftOut },
    files,
    null,
  );
}

/** The flags of draft. */
export interface DraftFlags extends CommandContext, InputSettingTexts {
  readonly path: string;
  readonly out: string;
  readonly force: boolean;
  readonly print: boolean;
}

const patience = { concurrency: 1, perPath: 5, attempts: 5, connect: 15_000, answer: 60_000, outage: 60_000 };

/** Drafts a mapping and a pipeline, writes or prints them, and shows the questions to answer; returns exit code 0. */
export async function runDraftCommand(flags: DraftFlags, screen: Screen): Promise<number> {
  const stated = parseInputSettings(flags);
  prepareWorkDir(flags.workDir, printWarning);
  const { stop, release } = abortOnStopSignals();
  try {
    const drafted = isBaseUrl(flags.path)
      ? await draftOfLive(flags, stop.signal, screen)
      : await draftFromInput({
          path: flags.path,
          out: flags.out,
          home: packageFolder,
          spoolDir: join(flags.workDir, 'spool'),
          waiting: (text) => screen.note(text),
          stated,
          remembered: (name) => findRememberedKeyStats(flags.workDir, name),
          signal: stop.signal,
        });
    const files = [drafted.mapping, drafted.pipeline];
    if (!flags.print) write(files, flags.force);
    show(drafted, flags, screen);
    return 0;
  } finally {
    release();
  }
}

/** Drafts the import of a live workspace, whose custom fields are read with the token that the import uses. */
async function draftOfLive(
  { path, out, invocation }: DraftFlags,
  signal: AbortSignal,
  screen: Screen,
): Promise<DraftOutput> {
  const tokenEnv = 'LONGSHORE_SOURCE_TOKEN';
  const target = readRemoteTarget(path, tokenEnv, invocation);
  announceWorkspace('Source', target.baseUrl, screen);
  const workspace = openInteractiveClient(
    target,
    patience,
    signal,
    createNoteListener((text) => screen.note(text)),
  );
  try {
    const customFields = await readCustomFields(workspace);
    return await draftOfWorkspace({ out, home: packageFolder }, { baseUrl: path, tokenEnv, customFields });
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

/** Writes the files; throws before the first one if a file exists and may not be overwritten. */
function write(files: readonly DraftFile[], force: boolean): void {
  const there = files.filter(({ file }) => existsSync(file));
  if (there.length > 0 && !force) {
    const names = there.map(({ file }) => file).join(' and ');
    throw new FatalError('usage', `${names} already ${there.length === 1 ? 'exists' : 'exist'}.`, {
      next: 'Overwrite with --force, or choose another folder with --out.',
    });
  }
  for (const { file, text } of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function show(drafted: DraftOutput, flags: DraftFlags, screen: Screen): void {
  const file = shown(drafted.pipeline.file);
  const { invocation } = flags;
  const rehearsal = formatCommandLine(['import', file], { workspace: 'sandbox' }, invocation);
  const next = `${formatCommandLine(['check', file], {}, invocation)}\n  ${rehearsal}`;
  if (flags.print) {
    const both = [drafted.pipeline, drafted.mapping].map(({ file, text }) => `# ${shown(file)}\n${text}`);
    screen.result(() => both.join('\n'), drafted);
    return;
  }
  screen.result(() => formatDraftResult(drafted, { next, shown, columns: screen.columns }), drafted);
}

function shown(file: string): string {
  const found = relative('.', resolve(file));
  return found.startsWith('..') ? resolve(file) : found;
}
