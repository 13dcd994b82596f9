import { useSignal } from '@preact/signals';
import type { UndoPreviewResult } from '../../wire/history.ts';
import { callRoute } from '../call.ts';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { Checkbox } from '../parts/box.tsx';
import { CommandWithResult } from '../parts/command-result.tsx';
import { ScrollArea } from '../parts/scrolls.tsx';
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
        Fields, lifecycle and assignee get the values that they had before. Nothing is sent until you confirm.
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
        <ScrollArea label="Put back">
          <table>
            <caption>Put back</caption>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col" class="n">
                  Contacts
                </th>
                <th scope="col" class="n">
                  Empty again
                </th>
              </tr>
            </thead>
            <tbody>
              {Object.entries(fields).map(([field, of]) => (
                <tr key={field}>
                  <th scope="row">{field}</th>
                  <td class="n">{formatCount(of.contacts)}</td>
                  <td class="n">{formatCount(of.emptied)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
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
      {samples.length > 0 && <Samples samples={samples} />}
    </>
  );
}

function Samples({ samples }: Pick<UndoPreviewResult, 'samples'>) {
  return (
    <ScrollArea label="The first contacts">
      <table>
        <caption>The first contacts</caption>
        <thead>
          <tr>
            <th scope="col">Contact</th>
            <th scope="col">Field</th>
            <th scope="col">Now</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {samples.flatMap(({ contact, identifier, putBack }) =>
            putBack.map(({ kind, name, from, to }) => (
              <tr key={`${contact} ${kind} ${name}`}>
                <th scope="row">{identifier ?? `id:${contact}`}</th>
                <td>{name === '' ? kind : name}</td>
                <td>{String(from ?? '–')}</td>
                <td>{String(to ?? '–')}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </ScrollArea>
  );
}
