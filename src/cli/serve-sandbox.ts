import { formatCommandLine } from '../app/run/command-line.ts';
import { formatUnusedSeedMessage, generateToken } from '../app/run/target.ts';
import { printWarning, type Screen } from '../app/run/terminal/screen.ts';
import { commandForHelp, hint, toCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { findNearestWord } from '../model/nearest.ts';
import {
  findMatchingPathTemplates,
  isHostName,
  isLoopback,
  type SandboxOptions,
  startSandbox,
} from '../sandbox/index.ts';
import { parseToken } from '../workspace/index.ts';
import type { SandboxFlags } from './sandbox-options.ts';

/** Serves a sandbox until a signal ends the process; returns the exit code 0. */
export async function serveSandbox(flags: SandboxFlags, screen: Screen): Promise<number> {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    process.once('SIGHUP', () => resolve());
  });
  const token = sandboxToken(flags.token);
  assertForbids(flags.forbid);
  assertHostNames(flags.allowHost ?? []);
  const sandbox = await startSandbox(options(flags, token, screen)).catch((error: unknown) => {
    throw notStarted(error, flags);
  });
  const { baseUrl, id, port, seedUse } = sandbox;
  const { file, seed } = flags;
  if (seedUse !== 'used' && file !== undefined && seed !== undefined)
    printWarning(formatUnusedSeedMessage(file, seed));
  if (!isLoopback(flags.host)) printWarning(reachable(flags.host, port));
  screen.result(
    () =>
      [
        `A local workspace is running at ${baseUrl} (stop it with Ctrl-C).`,
        'In another terminal:',
        '',
        `  export LONGSHORE_BASE_URL=${baseUrl} LONGSHORE_TOKEN=${token}`,
        `  ${formatCommandLine(['import', 'PIPELINE'], {}, flags.invocation)}`,
      ].join('\n'),
    { baseUrl, token, id },
  );
  await stopped;
  await sandbox.close();
  return 0;
}

/** Throws a FatalError (usage) for a --forbid pattern that matches no path of the API. */
function assertForbids(pattern: string | undefined): void {
  if (pattern === undefined || findMatchingPathTemplates(pattern).length > 0) return;
  const [first = ''] = pattern.replace(/^\//, '').split(/[/*]/, 1);
  const meant = findNearestWord(first, ['contact', 'space']);
  throw new FatalError(
    'usage',
    `--forbid ${pattern} fits no path of the interface${meant === undefined ? '' : `; did you mean "/${meant}/*"?`}`,
    {
      next: hint`Paths begin with /contact or /space, and * stands for anything: ${commandForHelp('sandbox')}`,
    },
  );
}

function assertHostNames(names: readonly string[]): void {
  const wrong = names.find((name) => !isHostName(name));
  if (wrong === undefined) return;
  throw new FatalError(
    'usage',
    `--allow-host takes a host name without a port, not ${JSON.stringify(wrong)}.`,
    {
      next: hint`For example: ${toCommand('sandbox', '--host', '0.0.0.0', '--allow-host', 'crm')}`,
    },
  );
}

function reachable(host: string, port: number): string {
  return `The sandbox listens on ${host}, port ${port}: other machines can reach it, without TLS. Whoever sees its token reads and changes everything in it: use invented people.`;
}

function notStarted(error: unknown, { host, port }: SandboxFlags): FatalError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const why = code === 'EADDRINUSE' ? 'is in use already' : 'is not open to this user';
    return new FatalError('usage', `port ${port} ${why}.`, {
      next: hint`Choose another with --port, or use any free one: ${toCommand('sandbox', '--port', '0')}`,
      cause: error,
    });
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new FatalError('usage', `${host} is no address of this machine.`, {
      next: hint`For every address of it: ${toCommand('sandbox', '--host', '0.0.0.0')}`,
      cause: error,
    });
  }
  const detail = error instanceof Error ? error.message : String(error);
  return new FatalError('usage', `the sandbox could not start: ${detail}`, { cause: error });
}

/**
 * Returns the token of the sandbox: a random one by default, because other users of the machine can reach the port,
 * too.
 */
function sandboxToken(given: string | undefined): string {
  try {
    return given === undefined ? generateToken() : parseToken(given);
  } catch (error) {
    throw error instanceof FatalError ? error.with({ place: { key: '--token' } }) : error;
  }
}

/** Returns the options of the sandbox; a flag that is not converted here is passed on under its own name. */
function options(flags: SandboxFlags, token: string, screen: Screen): SandboxOptions {
  const { faults: share, latency } = flags;
  const rates = Object.fromEntries(share > 0 ? faultKinds.map((kind) => [kind, share]) : []);
  return {
    ...flags,
    tokens: [token],
    allowedHosts: flags.allowHost ?? [],
    forbidden: flags.forbid === undefined ? [] : [flags.forbid],
    processingMs: flags.processing * 1_000,
    customFieldArrays: flags.customFields,
    rate: flags.rate === 0 ? 'off' : flags.rate,
    explain: !flags.plainErrors,
    customFieldValues: flags.customValues,
    extensions: { attachTags: flags.attachTags },
    processingUndocumented: flags.undocumentedProcessing,
    absentUndocumented: flags.undocumentedAbsent,
    randomSeed: flags.faultSeed,
    faults: [{ rates, latency: { min: latency, max: latency } }],
    onRequest({ method, path, status, fault }) {
      if (!flags.log) return;
      const end = [status === 0 ? 'no answer' : status, fault && `(${fault})`].filter(Boolean).join(' ');
      screen.log(`${method} ${path} ${end}`);
    },
  };
}

const faultKinds = ['429', '449', '500', '502', '503', '504', 'dropBefore', 'dropAfter', 'brokenBody'];
