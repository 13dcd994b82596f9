import { currentCommand, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Invocation } from './command-line.ts';

const ours = /^LONGSHORE_/;

/** Returns the distinct names that --allow-env must list: all but LONGSHORE_*. */
export function listEnvVariablesToAllow(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => !ours.test(name));
}

/**
 * Throws a FatalError (usage) where a pipeline names an environment variable that is neither Longshore's nor allowed:
 * together with a base URL, a pipeline from elsewhere could send any secret of this machine anywhere.
 */
export function assertEnvVariableAllowed(name: string, { allowEnv }: Pick<Invocation, 'allowEnv'>): void {
  if (listEnvVariablesToAllow([name]).length === 0 || allowEnv.includes(name)) return;
  throw new FatalError(
    'usage',
    `the pipeline reads the environment variable ${name}; only LONGSHORE_* is allowed by default.`,
    { next: hint`To allow it: ${currentCommand('--allow-env', [...allowEnv, name].join(','))}` },
  );
}

/**
 * Returns the trimmed value of an environment variable, empty where it is not set; throws a FatalError (usage) where
 * pipelines may not read it.
 */
export function readEnvVariable(name: string, invocation: Pick<Invocation, 'allowEnv'>): string {
  assertEnvVariableAllowed(name, invocation);
  return process.env[name]?.trim() ?? '';
}

/** Returns the trimmed value of one of Longshore's own environment variables; empty if it is not set. */
export function readLongshoreEnvVariable(name: `LONGSHORE_${string}`): string {
  return process.env[name]?.trim() ?? '';
}
