import { assignments } from './0001-assignments.ts';

/** What makes the fleet's tables what this version expects, in order: never changed once released, only added to. */
export const migrations: readonly string[] = [assignments];
