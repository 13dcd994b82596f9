import { useSignal } from '@preact/signals';
import type { UndoPreviewResult } from '../../wire/history.ts';
import { callRoute } from '../call.ts';
import { formatCount } from '../figures.ts';
import { rich, t, translateEngineText } from '../language.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { Checkbox } from '../parts/controls.tsx';
import { DataTable } from '../parts/lists.tsx';
import { Section } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { formatFieldLabel } from '../parts/target-words.ts';
import { OtherRunLink, useLaterRuns } from './later-runs.tsx';

/** The undo of an import, and of each later run of it, which comes first. */
export function UndoSection({ run }: { readonly run: string }) {
  const later = useLaterRuns(run).toReversed();
  return (
    <Section title={t('Undo')}>
      <p>
        {t(
          'Fields, lifecycle and assignee get the values that they had before. Contacts that the import created stay, because the interface cannot delete any. Nothing is sent until you confirm.',
        )}
      </p>
      {later.length > 0 && (
        <p>{t('The import had later runs. Undo them first, from the last to the first.')}</p>
      )}
      {later.map((each) => (
        <div key={each.run}>
          <h3>
            <OtherRunLink run={each} />
          </h3>
          <UndoOfRun run={each.run} />
        </div>
      ))}
      {later.length > 0 && <h3>{t('The import itself')}</h3>}
      <UndoOfRun run={run} />
    </Section>
  );
}

function UndoOfRun({ run }: { readonly run: string }) {
  const deleteTags = useSignal(false);
  const options = deleteTags.value ? { deleteTags: true } : {};
  return (
    <>
      <Checkbox
        label={t('Delete the tags that the run created')}
        checked={deleteTags.value}
        onChange={(checked) => (deleteTags.value = checked)}
      />
      <CommandWithResult
        key={String(deleteTags.value)}
        command={{ command: 'undo', run, dryRun: true, ...options }}
        label={t('Show what would be put back')}
        busy={t('Reading the contacts…')}
        load={(id) => callRoute('undoPreview', { id })}
        show={(found) => (
          <>
            <Preview found={found} />
            {found.changed === 0 && found.deletedTags.length === 0 ? (
              <p>{t('There is nothing that an undo can put back.')}</p>
            ) : (
              <StartButton
                label={t('Undo')}
                command={{ command: 'undo', run, ...options }}
                confirm={{ title: t('Undo this run?'), children: <Confirmation found={found} /> }}
              />
            )}
          </>
        )}
      />
    </>
  );
}

function Confirmation({ found: { changed, fields, deletedTags } }: { readonly found: UndoPreviewResult }) {
  const names = Object.entries(fields).map(
    ([field, { contacts }]) => `${formatFieldLabel(field)} (${formatCount(contacts)})`,
  );
  return (
    <p>
      {names.length === 0
        ? t('{n, plural, one {# contact} other {# contacts}} would be put back.', { n: changed })
        : t('{n, plural, one {# contact} other {# contacts}} would be put back: {fields}.', {
            n: changed,
            fields: names.join(', '),
          })}
      {deletedTags.length > 0 && ` ${t('Deleted tags: {tags}.', { tags: deletedTags.join(', ') })}`}
    </p>
  );
}

function Preview({ found }: { readonly found: UndoPreviewResult }) {
  const { contacts, changed, fields, why, samples, unread, deletedTags } = found;
  return (
    <>
      <p>
        {rich(
          '{n, plural, one {# contact} other {# contacts}} of the run checked; <b>{changed, number}</b> would be put back.',
          { n: contacts, changed, b: (parts) => <b>{parts}</b> },
        )}
        {unread > 0 &&
          ` ${t('{n, plural, one {# contact} other {# contacts}} could not be read.', { n: unread })}`}
      </p>
      {Object.keys(fields).length > 0 && (
        <DataTable
          label={t('Put back')}
          columns={[t('Field'), { n: t('Contacts') }, { n: t('Empty again') }]}
          rows={Object.entries(fields).map(([field, of]) => [
            formatFieldLabel(field),
            formatCount(of.contacts),
            formatCount(of.emptied),
          ])}
        />
      )}
      {deletedTags.length > 0 && (
        <p>{t('Tags that would be deleted: {tags}', { tags: deletedTags.join(', ') })}</p>
      )}
      {Object.keys(why).length > 0 && (
        <>
          <h3>{t('Left as it is')}</h3>
          <ul>
            {Object.entries(why).map(([reason, n]) => (
              <li key={reason}>
                {formatCount(n)}: {translateEngineText(reason)}
              </li>
            ))}
          </ul>
        </>
      )}
      {samples.length > 0 && (
        <DataTable
          label={t('The first contacts')}
          columns={[t('Contact'), t('Field'), t('Now'), t('Then')]}
          rows={samples.flatMap(({ contact, identifier, putBack }) =>
            putBack.map(({ kind, name, from, to }) => [
              (identifier ?? `id:${contact}`).replace(/^(?:email|phone):/, ''),
              formatFieldLabel(name === '' ? kind : name),
              String(from ?? '–'),
              String(to ?? '–'),
            ]),
          )}
        />
      )}
    </>
  );
}
