import type { LabelledVerification } from '../../wire/history.ts';
import { callRoute } from '../call.ts';
import { formatCount, formatDateTime } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { FactList } from '../parts/facts.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { RunFileList } from './run-files.tsx';

/** A button that reads back what a run wrote, and the last result with its page to sign. */
export function VerifySection({ run }: { readonly run: string }) {
  const { value, problem } = useRouteAnswer('runVerification', { run });
  const last = value.value?.found;
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {last !== undefined && (
        <CommandWithResult
          command={{ command: 'verify', run }}
          label={last === null ? 'Check the import' : 'Check it again'}
          isPrimary={last === null}
          busy="Reading the contacts back…"
          earlier={last}
          load={() => callRoute('runVerification', { run })}
          show={(found) => <Found key={found.finishedAt} found={found} />}
        />
      )}
    </>
  );
}

function Found({ found }: { readonly found: LabelledVerification }) {
  const { run, exitCode, headline, finishedAt, contacts, values, fields, sample } = found;
  return (
    <>
      <Notice tone={exitCode === 0 ? 'good' : 'look'}>
        <p class="message">
          {exitCode === 0 ? 'Everything that can be read back is as it was written.' : headline}
        </p>
        {sample !== null && <p class="next">{sample.sentence}</p>}
        <p class="next">Checked {formatDateTime(finishedAt)}.</p>
      </Notice>
      <FactList
        facts={{
          'Contacts written': formatCount(contacts.written),
          'As written': formatCount(contacts.matched),
          Different: formatCount(contacts.different),
          Missing: formatCount(contacts.missing),
          'Not there yet': formatCount(contacts.notYet),
          'Values compared': formatCount(values.matched + values.different),
        }}
      />
      {fields.length > 0 && (
        <DataTable
          label="What is not as it was written"
          columns={['Field', 'What was found', { n: 'How often' }]}
          rows={fields.map(({ field, words, n }) => [
            field === '' ? 'the contact' : field,
            words,
            formatCount(n),
          ])}
        />
      )}
      <h3>The page to sign, and what differs</h3>
      <RunFileList run={run} only={['verification.html', 'verification.csv']} />
    </>
  );
}
