import { useSignal } from '@preact/signals';
import type { UndoPreviewResult } from '../../wire/history.ts';
import { callRoute } from '../call.ts';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { Checkbox } from '../parts/box.tsx';
import { CommandWithResult } from '../parts/command-result.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { buildHref, goTo } from '../place.ts';

/** A section that shows a preview of the undo of a run, and then a button that runs it. */
export function UndoSection({ run }: { readonly run: string }) {
  const deleteTags = useSignal(false);
  const options = deleteTags.value ? { deleteTags: true } : {};
  return (
    <section aria-labelledby="undo-head">
      <h2 id="undo-head">Undo</h2>
      <p>
        Fields, lifecycle and assignee get the values that they had before. Contacts that the import created
        stay, because the interface cannot delete any. Nothing is sent until you confirm.
      </p>
      <Checkbox
        label="Delete the tags that the run created"
        checked={deleteTags.value}
        onChange={(checked) => (deleteTags.value = checked)}
      />
      <CommandWithResult
        key={String(deleteTags.value)}
        command={{ command: 'undo', run, dryRun: true, ...options }}
        label="Show what would be put back"
        busy="Reading the contacts…"
        load={(id) => callRoute('undoPreview', { id })}
        show={(found) => (
          <>
            <Preview found={found} />
            <StartButton
              label="Undo"
              command={{ command: 'undo', run, ...options }}
              confirm={{ title: 'Undo this run?', children: <Confirmation found={found} /> }}
              onStarted={({ id }) => goTo(buildHref('run', 'command', id))}
            />
          </>
        )}
      />
    </section>
  );
}

function Confirmation({ found: { changed, fields, deletedTags } }: { readonly found: UndoPreviewResult }) {
  const names = Object.entries(fields).map(([field, { contacts }]) => `${field} (${formatCount(contacts)})`);
  return (
    <p>
      {formatCountWithNoun(changed, 'contact')} would be put back
      {names.length > 0 && `: ${names.join(', ')}`}.
      {deletedTags.length > 0 && ` Deleted tags: ${deletedTags.join(', ')}.`}
    </p>
  );
}

function Preview({ found }: { readonly found: UndoPreviewResult }) {
  const { contacts, changed, fields, why, samples, unread, deletedTags } = found;
  return (
    <>
      <p>
        {formatCountWithNoun(contacts, 'contact')} of the run looked at; <b>{formatCount(changed)}</b> would
        be put back.
        {unread > 0 && ` ${formatCountWithNoun(unread, 'contact')} could not be read.`}
      </p>
      {Object.keys(fields).length > 0 && (
        <DataTable
          label="Put back"
          columns={['Field', { n: 'Contacts' }, { n: 'Empty again' }]}
          rows={Object.entries(fields).map(([field, of]) => [
            field,
            formatCount(of.contacts),
            formatCount(of.emptied),
          ])}
        />
      )}
      {deletedTags.length > 0 && <p>Tags that would be deleted: {deletedTags.join(', ')}</p>}
      {Object.keys(why).length > 0 && (
        <>
          <h3>Left as it is</h3>
          <ul>
            {Object.entries(why).map(([reason, n]) => (
              <li key={reason}>
                {formatCount(n)}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
      {samples.length > 0 && (
        <DataTable
          label="The first contacts"
          columns={['Contact', 'Field', 'Now', 'Then']}
          rows={samples.flatMap(({ contact, identifier, putBack }) =>
            putBack.map(({ kind, name, from, to }) => [
              identifier ?? `id:${contact}`,
              name === '' ? kind : name,
              String(from ?? '–'),
              String(to ?? '–'),
            ]),
          )}
        />
      )}
    </>
  );
}
