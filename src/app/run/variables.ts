import { FatalError } from '../../model/fatal-error.ts';
import { currentCommandLine } from './command-line.ts';

const ours = /^LONGSHORE_/;
let allowed: readonly string[] = [];

/** Allows pipelines to read these environment variables: the value of --allow-env. */
export function allowVariables(names: readonly string[]): void {
  allowed = names;
}

/** Returns the distinct names that --allow-env must list: all but LONGSHORE_*. */
export function findForeignVariables(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => !ours.test(name));
}

/**
 * Throws a FatalError (usage) where a pipeline names an environment variable that is neither Longshore's nor allowed:
 * together with a base URL, a pipeline from elsewhere could send any secret of this machine anywhere.
 */
export function assertVariableAllowed(name: string): void {
  if (findForeignVariables([name]).length === 0 || allowed.includes(name)) return;
  throw new FatalError(
    'usage',
    `the pipeline reads the environment variable ${name}; only LONGSHORE_* is allowed by default.`,
    { next: `To allow it: ${currentCommandLine('--allow-env', [...allowed, name].join(','))}` },
  );
}

/**
 * Returns the trimmed value of an environment variable, empty where it is not set; throws a FatalError (usage) where
 * pipelines may not read it.
 */
export function readVariable(name: string): string {
  assertVariableAllowed(name);
  return process.env[name]?.trim() ?? '';
}
