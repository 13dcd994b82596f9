import { t, translateEngineText } from '../language.ts';
import type { TargetProps } from './view-state.ts';

export function TargetResultView({ target, view: { row } }: TargetProps) {
  const traced = row.value.value?.row?.trace.targets.find((each) => each.target === target.name);
  if (traced === undefined) return null;
  const value = target.label === null ? traced.value : commentOf(traced.value, target.label);
  return (
    <div class="becomes">
      {value === null ? <span class="note">{t('nothing')}</span> : <b>{shownValue(value)}</b>}
      {traced.isDefault && <span class="note"> {t('(default)')}</span>}
      {traced.problems.map(({ code, reason }) => (
        <p key={code} class="wrong">
          {translateEngineText(reason)}
        </p>
      ))}
      {traced.notes.map(({ code, reason }) => (
        <p key={code} class="note">
          {translateEngineText(reason)}
        </p>
      ))}
    </div>
  );
}

/** Returns the texts of the comments with this label or a row's key (`note:17`); null for none. */
function commentOf(value: unknown, label: string): unknown {
  if (typeof value !== 'object' || value === null) return null;
  const own = Object.entries(value).filter(([id]) => id === label || id.startsWith(`${label}:`));
  return own.length === 0 ? null : own.map(([, text]) => text).join('\n');
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${String(each)}`)
    .join(', ');
}

const stepWords: Readonly<Record<string, string>> = {
  from: t('read'),
  template: t('inserted'),
  html: t('text of HTML'),
  replace: t('replaced'),
  split: t('cut'),
  case: t('case'),
  values: t('translated'),
  join: t('joined'),
};

/** The steps that make the value of the current row; nothing for fewer than two. */
export function ValueTraceList({ target, view: { row } }: TargetProps) {
  const traced = row.value.value?.row?.trace.targets.find((each) => each.target === target.name);
  if (traced === undefined || traced.steps.length < 2) return null;
  return (
    <ol class="row way" aria-label={t('How the current row comes to its value')}>
      {traced.steps.map(({ step, texts }, index) => (
        <li key={step}>
          {index > 0 && '→ '}
          <span class="note">{stepWords[step] ?? step}</span>{' '}
          {texts.length === 0 ? <span class="note">{t('nothing')}</span> : <code>{texts.join(' | ')}</code>}
        </li>
      ))}
    </ol>
  );
}
