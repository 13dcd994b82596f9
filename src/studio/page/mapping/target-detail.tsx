import type { TargetOutline } from '../../wire/mapping.ts';
import { RuleOptionFields } from './rule-options.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { ValueTableEditor } from './value-table.tsx';
import type { MappingViewState } from './view-state.ts';

interface TargetDetailProps {
  readonly target: TargetOutline;
  readonly sight: MappingViewState;
}

const templateKeys = ['template', 'summary', 'text'] as const;
const withTable = /^(?:contact\.|customFields\.|tags$|lifecycle$|assignee$)/;

/** The rule of a target: its template, its options, its table of values, and the trace of the current row. */
export function TargetDetail({ target, sight }: TargetDetailProps) {
  const keys = new Map(
    typeof target.rule === 'object' && target.rule !== null ? Object.entries(target.rule) : [],
  );
  const template = templateKeys.find((key) => typeof keys.get(key) === 'string');
  const hasTable = keys.has('from') && withTable.test(target.name);
  return (
    <div class="rule">
      <ValueSteps {...{ target, sight }} />
      {template !== undefined && (
        <TemplateEditor {...{ target, sight, template }} key={template} text={String(keys.get(template))} />
      )}
      <RuleOptionFields target={target} open={sight.open} />
      {hasTable && sight.request !== null && (
        <ValueTableEditor {...{ target, open: sight.open, request: sight.request }} />
      )}
      {template === undefined && !hasTable && <p class="note">Change it in the YAML.</p>}
    </div>
  );
}

const stepWords: Readonly<Record<string, string>> = {
  from: 'read',
  template: 'inserted',
  html: 'text of HTML',
  replace: 'replaced',
  split: 'cut',
  case: 'case',
  values: 'translated',
  join: 'joined',
};

/** The steps that make the value of the current row; nothing for fewer than two. */
export function ValueSteps({ target, sight: { row } }: TargetDetailProps) {
  const traced = row.value.value?.row?.trace.targets.find((each) => each.target === target.name);
  if (traced === undefined || traced.steps.length < 2) return null;
  return (
    <ol class="way" aria-label="How the current row comes to its value">
      {traced.steps.map(({ step, texts }) => (
        <li key={step}>
          <span class="note">{stepWords[step] ?? step}</span>{' '}
          {texts.length === 0 ? <span class="note">nothing</span> : <code>{texts.join(' | ')}</code>}
        </li>
      ))}
    </ol>
  );
}
