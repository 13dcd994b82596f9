import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBaseUrl } from '../model/base-url.ts';
import { FatalError } from '../model/fatal-error.ts';
import { readCustomFields } from '../operations/ensure-field.ts';
import { draftText } from '../report/draft-text.ts';
import { commandLine } from '../report/next-steps.ts';
import { type Draft, type DraftFile, draft } from '../runs/draft/draft.ts';
import { draftOfWorkspace } from '../runs/draft/own-export/draft-of-workspace.ts';
import { openClient } from './open-client.ts';
import type { Screen } from './screen.ts';
import { onStopSignals } from './stop-signals.ts';
import { liveTarget } from './target.ts';
import { prepareWorkDir, shownWorkDir } from './work-dir.ts';

/** What draft asks for. */
export interface DraftFlags {
  readonly path: string;
  readonly out: string;
  readonly force: boolean;
  readonly print: boolean;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

/** Somebody waits at the screen. */
const patience = { concurrency: 1, perPath: 5, attempts: 5, outage: 60_000 };

const home = fileURLToPath(new URL('../..', import.meta.url));

/** Drafts a mapping and a pipeline, writes or prints them, and says what is left to decide. */
export async function carryOutDraft(flags: DraftFlags, screen: Screen): Promise<number> {
  prepareWorkDir(flags.workDir);
  const stop = new AbortController();
  const release = onStopSignals(stop);
  try {
    const drafted = isBaseUrl(flags.path)
      ? await draftOfLive(flags, stop.signal)
      : await draft({
          path: flags.path,
          out: flags.out,
          home,
          spoolDir: join(flags.workDir, 'spool'),
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

/** What the old workspace says of its custom fields is asked with the token that an import from it takes. */
async function draftOfLive({ path, out }: DraftFlags, signal: AbortSignal): Promise<Draft> {
  const tokenEnv = 'LONGSHORE_SOURCE_TOKEN';
  const target = liveTarget(path, tokenEnv);
  const workspace = openClient(target, patience, signal, () => undefined);
  try {
    const customFields = await readCustomFields(workspace);
    return await draftOfWorkspace({ out, home }, { baseUrl: path, tokenEnv, customFields });
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

/** Writes the files; throws before the first where one is there and may not be written over. */
function write(files: readonly DraftFile[], force: boolean): void {
  const there = files.filter(({ file }) => existsSync(file));
  if (there.length > 0 && !force) {
    const names = there.map(({ file }) => file).join(' and ');
    throw new FatalError('usage', `${names} ${there.length === 1 ? 'is' : 'are'} there already.`, {
      next: 'Write over with --force, or name another folder with --out.',
    });
  }
  for (const { file, text } of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function show(drafted: Draft, flags: DraftFlags, screen: Screen): void {
  const next = commandLine(['check', shown(drafted.pipeline.file)], { workDir: shownWorkDir(flags.workDir) });
  if (flags.print) {
    const both = [drafted.pipeline, drafted.mapping].map(({ file, text }) => `# ${shown(file)}\n${text}`);
    screen.result(() => both.join('\n'), drafted);
    return;
  }
  screen.result(() => draftText(drafted, { next, shown, columns: screen.columns }), drafted);
}

function shown(file: string): string {
  const found = relative('.', resolve(file));
  return found.startsWith('..') ? resolve(file) : found;
}
