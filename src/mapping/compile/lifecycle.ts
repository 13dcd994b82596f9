import { type Parsed, quoted } from '../../datatypes/index.ts';
import type { Draft } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import type { LifecycleRule } from '../schema/lifecycle.ts';
import { compileField } from './field.ts';
import { collect, type Findings } from './findings.ts';

type LifecyclePart = Pick<Draft, 'lifecycle' | 'defaultLifecycle'>;

/** `lifecycle:`, in the spelling of `stages` where there are any. */
export function compileLifecycle(rule: LifecycleRule): (row: Row, found: Findings) => LifecyclePart {
  const { stages, default: otherwise } = rule;
  const spelling = new Map(stages?.map((stage) => [stage.toLowerCase(), stage]));
  const spelled = (text: string): string | undefined =>
    stages === undefined ? text : spelling.get(text.toLowerCase());
  const read = compileField(rule, {
    code: 'lifecycle',
    readsEmpty: false,
    firstValid: false,
    read(text): Parsed<string> {
      const value = spelled(text);
      return value === undefined ? unknown(text, stages ?? []) : { ok: true, value };
    },
    fallback: otherwise === undefined ? undefined : spelled(otherwise),
  });
  return (row, found) => {
    const result = read(row, undefined);
    collect(result, found);
    const { value, fallback } = result;
    return {
      ...(value !== undefined && { lifecycle: value }),
      ...(fallback !== undefined && { defaultLifecycle: fallback }),
    };
  };
}

function unknown(text: string, stages: readonly string[]): Parsed<string> {
  const listed = stages.map(quoted).join(', ');
  const reason = `${quoted(text)} is not one of the stages of the mapping: ${listed}.`;
  return { ok: false, problem: 'unknown', reason };
}
