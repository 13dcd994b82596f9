import type { PlanDetails, PlanSummary } from '../../wire/plans.ts';
import { formatCount, formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { Section } from '../parts/notice.tsx';
import { formatFieldLabel } from '../parts/target-words.ts';

/** What happens to a value, in its colour. */
const colours = {
  filled: { word: t('filled'), colour: 'var(--created)' },
  replaced: { word: t('replaced'), colour: 'var(--merged)' },
  cleared: { word: t('cleared'), colour: 'var(--rejected)' },
} as const;

/** The changes of existing contacts' fields, and the other steps. */
export function PlannedChanges({ fields, steps }: Pick<PlanSummary, 'fields'> & Pick<PlanDetails, 'steps'>) {
  const most = Math.max(...fields.map(({ filled, replaced, cleared }) => filled + replaced + cleared));
  return (
    <Section title={t('Changes to existing contacts')}>
      {fields.length === 0 ? (
        <p>{t('No value of an existing contact would change.')}</p>
      ) : (
        <>
          <p class="legend note" aria-hidden="true">
            {Object.entries(colours).map(([kind, { word, colour }]) => (
              <span key={kind} style={{ '--colour': colour }}>
                {word}
              </span>
            ))}
          </p>
          <ul class="lines">
            {fields.map((each) => (
              <FieldChanges key={each.field} field={each} most={most} />
            ))}
          </ul>
        </>
      )}
      {steps.length > 0 && (
        <>
          <h3>{t('Also')}</h3>
          <ul class="lines">
            {steps.map(({ label, step }) => (
              <li key={label}>
                <p class="with-count">
                  <span>
                    {translateEngineText(label)}
                    {step.frequent.length > 0 && <span class="note"> {frequentText(step)}</span>}
                  </span>
                  <b>{formatCount(step.count)}</b>
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** Returns the most frequent values of a step with their counts, and the number of all others. */
function frequentText({ count, frequent }: PlanDetails['steps'][number]['step']): string {
  const others = frequent.reduce((left, each) => left - each.count, count);
  return [
    ...frequent.map((each) => `${each.value} (${formatCount(each.count)})`),
    ...(others > 0 ? [t('{n, number} more', { n: others })] : []),
  ].join(', ');
}

function FieldChanges({
  field,
  most,
}: {
  readonly field: PlanSummary['fields'][number];
  readonly most: number;
}) {
  const { filled, replaced, cleared, frequent } = field;
  const all = filled + replaced + cleared;
  const kinds = [
    ['filled', filled, t('{n, number} filled', { n: filled })],
    ['replaced', replaced, t('{n, number} replaced', { n: replaced })],
    ['cleared', cleared, t('{n, number} cleared', { n: cleared })],
  ] as const;
  const present = kinds.filter(([, n]) => n > 0);
  return (
    <li>
      <p class="with-count">
        <b>{formatFieldLabel(field.field)}</b>{' '}
        <span>{t('{n, plural, one {# contact} other {# contacts}}', { n: all })}</span>
      </p>
      <div class="track" style={{ width: `${Math.max(1, (all / most) * 100)}%` }} aria-hidden="true">
        {present.map(([kind, n]) => (
          <span key={kind} style={{ flexGrow: n, background: colours[kind].colour }} />
        ))}
      </div>
      <p class="note">
        {present.map(([, , text]) => text).join(', ')}
        {frequent.length > 0 && ': '}
        {frequent
          .map(
            ({ from, to, contacts, line }) =>
              `${from || t('empty')} → ${to || t('empty')} (${contacts === 1 ? t('line {line}', { line: formatRowLine(line) }) : formatCount(contacts)})`,
          )
          .join(', ')}
      </p>
    </li>
  );
}
