import { isNoteOnly, type Problem } from '../../model/problem.ts';
import type { Cell, Row } from '../../model/row.ts';
import { findColumnUses } from '../columns.ts';
import { compileValueCandidates } from '../compile/candidates.ts';
import { compileDraftWithProblems } from '../compile/index.ts';
import { compilePlaceholderRemoval } from '../compile/placeholders.ts';
import { compileColumnReader } from '../compile/read-column.ts';
import type { LoadedMapping } from '../load.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import {
  collectTargetValues,
  findProblemTargetName,
  listMappingTargets,
  type MappingTarget,
  type TargetValue,
} from './targets.ts';

/** The steps from a row's cells to a target's value. */
export interface TargetTrace {
  readonly target: string;
  /** The cells that the target reads, by column: several for a list, null where the row has no such column. */
  readonly cells: readonly { readonly column: string; readonly cells: readonly Cell[] | null }[];
  /** The texts after each step of the rule, in the order of the steps. */
  readonly steps: readonly { readonly step: string; readonly texts: readonly string[] }[];
  /** Null where the row gives the target no value. */
  readonly value: TargetValue | null;
  readonly isDefault: boolean;
  /** The problems of this target that reject the row. */
  readonly problems: readonly Problem[];
  /** Notes about this target, such as values that were left out. */
  readonly notes: readonly Problem[];
}

/** The result of one row, target by target. */
export interface RowTrace {
  readonly line: number;
  readonly isRejected: boolean;
  /** True if the row passes without one of its values. */
  readonly losesValue: boolean;
  readonly targets: readonly TargetTrace[];
  /** The problems that belong to no target, such as a missing identifier. */
  readonly problems: readonly Problem[];
}

/** The keys of a rule that change its texts, in the order in which they apply. */
const stepKeys = ['html', 'replace', 'part', 'split', 'case', 'values', 'join'] as const;

/**
 * Returns a function that traces a row through a mapping, without the fields, users and closing notes of a workspace.
 */
export function compileRowTracer(loaded: LoadedMapping): (row: Row) => RowTrace {
  const read = compileDraftWithProblems(loaded);
  const withoutPlaceholders = compilePlaceholderRemoval(loaded.mapping.empty);
  const uses = findColumnUses(loaded.mapping);
  const tracers = listMappingTargets(loaded.mapping).map((target) => {
    const own = uses.filter(({ path }) => target.path.every((step, depth) => path[depth] === step));
    const columns = [
      ...new Set(own.map(({ column, list }) => (list === undefined ? column : `${list}[].${column}`))),
    ];
    return {
      target,
      steps: compileSteps(target),
      cells: columns.map((column) => ({ column, read: compileColumnReader(column) })),
    };
  });
  const names = new Set(tracers.map(({ target }) => target.name));
  return (row) => {
    const { draft, problems } = read(row);
    const cleaned = withoutPlaceholders(row);
    const values = collectTargetValues(draft);
    const ofTarget = (all: readonly Problem[], name: string): readonly Problem[] =>
      all.filter(({ code }) => findProblemTargetName(code) === name);
    return {
      line: row.line,
      isRejected: problems.length > 0,
      losesValue: problems.length === 0 && draft.dropped.some((each) => !isNoteOnly(each)),
      targets: tracers.map(({ target: { name }, steps, cells }) => ({
        target: name,
        cells: cells.map((each) => ({ column: each.column, cells: each.read(row) ?? null })),
        steps: steps.map(({ step, texts }) => ({ step, texts: texts(cleaned) })),
        value: values.get(name)?.value ?? null,
        isDefault: values.get(name)?.isDefault ?? false,
        problems: ofTarget(problems, name),
        notes: ofTarget(draft.dropped, name),
      })),
      problems: problems.filter(({ code }) => !names.has(findProblemTargetName(code))),
    };
  };
}

interface Step {
  readonly step: string;
  readonly texts: (row: Row) => readonly string[];
}

/**
 * Returns the steps of a rule, each compiled as a rule that ends at that step, so that the trace runs the real code.
 */
function compileSteps({ rule }: MappingTarget): readonly Step[] {
  if (rule === undefined) return [];
  const source: FieldRule = rule.template === undefined ? { from: rule.from } : { template: rule.template };
  const keys = stepKeys.filter((key) => rule[key] !== undefined && rule[key] !== false);
  const begin = {
    step: rule.template === undefined ? 'from' : 'template',
    part: { ...source, trim: rule.trim, familyFirst: rule.familyFirst },
  };
  return [
    begin,
    ...keys.map((step, index) => ({
      step,
      part: { ...begin.part, ...partOf(rule, keys.slice(0, index + 1)) },
    })),
  ].map(({ step, part }) => {
    const find = compileValueCandidates(part, false);
    return { step, texts: (row: Row) => find(row).candidates.map(({ text }) => text) };
  });
}

function partOf(rule: FieldRule, keys: readonly (typeof stepKeys)[number][]): FieldRule {
  return Object.fromEntries(keys.map((key) => [key, rule[key]]));
}

/**
 * Returns a function that finds the texts of a row that the target `name` looks up in a table (its `values`, or the
 * `users` of the assignee), with '' for an empty cell; undefined if the mapping has no such target or the target has no
 * rule.
 */
export function compileLookedUpTexts(
  { mapping }: LoadedMapping,
  name: string,
): ((row: Row) => readonly string[]) | undefined {
  const rule = listMappingTargets(mapping).find((target) => target.name === name)?.rule;
  if (rule === undefined) return undefined;
  const { values: _values, strict: _strict, join: _join, ...before } = rule;
  const withoutPlaceholders = compilePlaceholderRemoval(mapping.empty);
  const find = compileValueCandidates(before, true);
  return (row) => find(withoutPlaceholders(row)).candidates.map(({ text }) => text);
}
