import type { Mapped } from '../../model/draft.ts';
import { compileMapping } from '../compile.ts';
import type { LoadedMapping } from '../load.ts';
import type { Example } from '../schema/examples.ts';
import { settleTags } from '../settle-tags.ts';
import { differencesOf } from './differences.ts';
import { exampleRow } from './row.ts';

/** What became of one of the mapping's `tests:`. */
export interface ExampleResult {
  /** From 1, in the file's order. */
  readonly number: number;
  /** The line where the test begins. */
  readonly line: number;
  readonly ok: boolean;
  /** What was expected and what came instead; empty where the test passes. */
  readonly message: string;
}

/** Runs the mapping's `tests:` on the mapping itself, offline; each row is a person of its own. */
export function runExamples(loaded: LoadedMapping): readonly ExampleResult[] {
  const map = compileMapping(loaded);
  const settle = settleTags(loaded);
  return (loaded.mapping.tests ?? []).map((example, index) => {
    const { line } = loaded.mistake(['tests', index], '');
    const differences = compare(example, settled(map(exampleRow(example, line)), settle), loaded);
    const message = differences.length === 0 ? '' : `test ${index + 1}: ${differences.join('; ')}`;
    return { number: index + 1, line, ok: differences.length === 0, message };
  });
}

function settled(mapped: Mapped, settle: ReturnType<typeof settleTags>): Mapped {
  if (!mapped.ok) return mapped;
  const tags = settle(mapped.draft);
  return tags.ok ? tags : { ok: false, key: mapped.draft.key, problems: [tags.problem] };
}

function compare({ rejects, expect }: Example, mapped: Mapped, loaded: LoadedMapping): readonly string[] {
  if (rejects !== undefined) return compareRejection(rejects, mapped);
  if (mapped.ok) return differencesOf(expect ?? {}, mapped.draft, loaded.mapping);
  const problems = mapped.problems.map(({ code, reason }) => `${code} (${reason})`);
  return [`the row is rejected: ${problems.join(', ')}`];
}

function compareRejection(code: string, mapped: Mapped): readonly string[] {
  if (mapped.ok) return [`${code} should reject the row, but the row is accepted`];
  const codes = mapped.problems.map((problem) => problem.code);
  return codes.includes(code) ? [] : [`${code} should reject the row, but ${codes.join(', ')} does`];
}
