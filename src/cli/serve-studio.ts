import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Invocation } from '../app/run/command-line.ts';
import { output } from '../app/run/terminal/output.ts';
import { printWarning, type Screen } from '../app/run/terminal/screen.ts';
import { toWorkDirArgument } from '../app/run/work-dir.ts';
import { hint, toCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { packageFolder } from '../storage/package.ts';
import { openStudio, type RunningStudio } from '../studio/server/index.ts';

interface StudioFlags {
  readonly file: string | undefined;
  readonly port: number | undefined;
  readonly open: boolean;
  readonly readOnly: boolean;
  readonly workDir: string;
  readonly invocation: Invocation;
}

/**
 * Serves the studio until a signal ends the process; the commands that it started continue. Returns the exit code 0.
 */
export async function serveStudio(flags: StudioFlags, screen: Screen): Promise<number> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const studio = await openStudio({
    from: flags.file ?? '.',
    workDir: toWorkDirArgument(flags.workDir) === undefined ? undefined : flags.workDir,
    port: flags.port,
    readOnly: flags.readOnly,
    main: builtCommand(),
    invocation: flags.invocation,
    warn: printWarning,
  }).catch((error: unknown) => {
    throw notStarted(error, flags);
  });
  const url = studio.newUrl();
  const { folder, workDir } = studio;
  screen.result(
    () =>
      [
        `The studio of ${folder} is open (stop it with Ctrl-C; runs continue):`,
        '',
        `  ${url}`,
        '',
        'The link is good once.',
      ].join('\n'),
    { url, folder, workDir },
  );
  if (flags.open && output.canAsk) openBrowser(url);
  const offer = offerLinks(studio, screen);
  await stopped;
  offer.end();
  await studio.close();
  return 0;
}

/** Prints a new link whenever Enter is pressed at the terminal, because each link works once. */
function offerLinks(studio: RunningStudio, screen: Screen): { end(): void } {
  const { stdin } = process;
  if (!stdin.isTTY || screen.json) return { end: () => {} };
  screen.note('Press Enter for another one.');
  stdin.on('data', () => screen.note(`  ${studio.newUrl()}`));
  return { end: () => void stdin.pause() };
}

/** Returns the path of the package's built command, whichever build serves the studio. */
function builtCommand(): string {
  return realpathSync(join(packageFolder, 'dist/command/main.js'));
}

function notStarted(error: unknown, { port }: StudioFlags): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const why = code === 'EADDRINUSE' ? 'is in use already' : 'is not open to this user';
  return new FatalError('usage', `port ${port} ${why}.`, {
    next: hint`Choose another with --port, or use any free one: ${toCommand('studio')}`,
    cause: error,
  });
}

/** Returns the command that opens a page on this system; undefined without a desktop. */
function opener(): readonly [command: string, ...words: string[]] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const { DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION } = process.env;
  const isHere = (DISPLAY ?? WAYLAND_DISPLAY ?? '') !== '' && (SSH_CONNECTION ?? '') === '';
  return isHere ? ['xdg-open'] : undefined;
}

/** Opens a URL in the browser; failures are ignored, because the URL is printed, too. */
function openBrowser(url: string): void {
  const found = opener();
  if (found === undefined) return;
  const [command, ...words] = found;
  const child = spawn(command, [...words, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}
