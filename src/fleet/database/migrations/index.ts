import { journals } from './0002-journals.ts';

/** What makes the fleet's tables what this version expects, in order: never changed once released, only added to. */
export const migrations: readonly string[] = [journals];
