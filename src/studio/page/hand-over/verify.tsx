import type { LabelledVerification } from '../../wire/history.ts';
import { callRoute } from '../call.ts';
import { formatCount, formatDateTime } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { DataTable, FactList } from '../parts/lists.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { formatFieldLabel } from '../parts/target-words.ts';
import { formatOpenCheck } from './check-words.ts';
import { RunFileList } from './run-files.tsx';

interface VerifySectionProps {
  readonly run: string;
  readonly label: string;
  readonly quiet?: boolean;
}

/** A button that reads back what a run wrote, and the last result with its page to sign. */
export function VerifySection({ run, label, quiet = false }: VerifySectionProps) {
  const { value, problem } = useRouteAnswer('runVerification', { run });
  const last = value.value?.found;
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {last !== undefined && (
        <CommandWithResult
          command={{ command: 'verify', run }}
          label={last === null ? label : t('Check it again')}
          isPrimary={last === null && !quiet}
          busy={t('Reading the contacts back…')}
          earlier={last}
          load={async () => {
            value.value = await callRoute('runVerification', { run });
            return value.value;
          }}
          show={(found) => <Found key={found.finishedAt} found={found} />}
        />
      )}
    </>
  );
}

function Found({ found }: { readonly found: LabelledVerification }) {
  const { run, exitCode, finishedAt, contacts, values, fields, sample } = found;
  return (
    <>
      <Notice
        tone={exitCode === 0 ? 'good' : 'look'}
        message={
          exitCode === 0
            ? t('Everything that can be read back is as it was written.')
            : formatOpenCheck(found)
        }
      >
        {sample !== null && <p>{translateEngineText(sample.sentence)}</p>}
        <p>{t('Checked {time}.', { time: formatDateTime(finishedAt) })}</p>
      </Notice>
      <FactList
        facts={{
          [t('Contacts written')]: formatCount(contacts.written),
          [t('As written')]: formatCount(contacts.matched),
          [t('Different')]: formatCount(contacts.different),
          [t('Missing')]: formatCount(contacts.missing),
          [t('Not there yet')]: formatCount(contacts.notYet),
          [t('Values compared')]: formatCount(values.matched + values.different),
        }}
      />
      {fields.length > 0 && (
        <DataTable
          label={t('What differs, or cannot be checked')}
          columns={[t('Field'), t('What was found'), { n: t('How often') }]}
          rows={fields.map(({ field, words, n }) => [
            field === '' ? t('the contact') : formatFieldLabel(field),
            translateEngineText(words),
            formatCount(n),
          ])}
        />
      )}
      <h3>{t('Files')}</h3>
      <RunFileList run={run} only={['verification.html', 'verification.csv']} />
    </>
  );
}
