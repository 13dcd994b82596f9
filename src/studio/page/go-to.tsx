import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ProjectFile } from '../wire/project.ts';
import { activity } from './activity.ts';
import { isCompact, setCompact } from './density.ts';
import { useRouteAnswer } from './hooks.ts';
import { t } from './language.ts';
import { Button, Checkbox } from './parts/controls.tsx';
import { Dialog } from './parts/dialog.tsx';
import { ProblemNotice, StatusNote } from './parts/notice.tsx';
import { buildHref, goTo } from './place.ts';
import { formatRunName } from './run/run-name.ts';
import { listShownViews } from './views.ts';

const mostShown = 10;

interface Place {
  readonly href: string;
  readonly label: string;
  readonly kind: string;
}

const keys: readonly (readonly [keys: string, does: string])[] = [
  [t('Ctrl-K'), t('Open this list')],
  [`${t('Ctrl-Z')}, ${t('Ctrl-Shift-Z')}`, t('Undo and redo a change of a mapping')],
  [t('Arrow keys'), t('Move through a table, and between proposed merges')],
  ['Y, N, U, E', t('Merge, do not merge, leave undecided, edit a proposed merge')],
  [t('Esc'), t('Close a dialog')],
];

/** A button, and Ctrl-K, that open the list of all views, files and runs, which is searched by typing. */
export function GoToButton() {
  const isOpen = useSignal(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isMeant = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isMeant || event.shiftKey || event.altKey || document.querySelector('dialog[open]') !== null)
        return;
      event.preventDefault();
      isOpen.value = true;
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <Button
        class="quiet"
        label={t('Go to…')}
        aria-keyshortcuts="Control+K"
        onClick={() => (isOpen.value = true)}
      />
      {isOpen.value && <GoToDialog onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function GoToDialog({ onClose }: { onClose(): void }) {
  const text = useSignal('');
  const list = useRef<HTMLUListElement>(null);
  const { value: listed, problem } = useRouteAnswer('files', {});
  const found = listPlaces(listed.value?.files ?? []).filter(({ label, kind }) =>
    isFound(`${label} ${kind}`, text.value),
  );
  const shown = found.slice(0, mostShown);
  const open = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    goTo(place.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.findIndex((link) => link.matches(':focus'));
    links[Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
  };
  return (
    <Dialog title={t('Go to')} onClose={onClose}>
      <input
        type="search"
        aria-label={t('View, file or run')}
        placeholder={t('View, file or run')}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={(event) => (event.key === 'Enter' ? open(shown[0]) : onKeyDown(event))}
      />
      <ul ref={list} class="lines" aria-label={t('Matches')}>
        {shown.map((place) => (
          <li key={place.href} class="with-count">
            <a href={place.href} onClick={onClose} onKeyDown={onKeyDown}>
              {place.label}
            </a>
            <span class="note">{place.kind}</span>
          </li>
        ))}
      </ul>
      <StatusNote>
        {t('{shown, number} of {n, number} shown', { shown: shown.length, n: found.length })}
      </StatusNote>
      <ProblemNotice problem={problem.value} />
      <details>
        <summary>{t('Keyboard shortcuts')}</summary>
        <dl>
          {keys.map(([pressed, does]) => (
            <div key={pressed}>
              <dt>
                <kbd>{pressed}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Checkbox label={t('Compact tables and lists')} checked={isCompact.value} onChange={setCompact} />
      <p class="buttons">
        <Button class="quiet" label={t('Close')} onClick={onClose} />
      </p>
    </Dialog>
  );
}

function isFound(label: string, text: string): boolean {
  const all = label.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

function listPlaces(files: readonly ProjectFile[]): readonly Place[] {
  const runs = activity.value?.runs ?? [];
  return [
    ...listShownViews().map(({ name, title }) => ({ href: buildHref(name), label: title, kind: t('view') })),
    ...runs.map((run) => ({ href: buildHref('run', run.run), label: formatRunName(run), kind: t('run') })),
    ...files.flatMap((file) => placeOf(file) ?? []),
    ...runs
      .filter(({ kind, selection }) => kind === 'import' && selection.kind === 'all')
      .map((run) => ({
        href: buildHref('hand-over', run.run),
        label: formatRunName(run),
        kind: t('undo of an import'),
      })),
  ];
}

function placeOf({ path, kind }: ProjectFile): Place | undefined {
  switch (kind) {
    case 'input':
      return { href: buildHref('files', path), label: path, kind: t('file') };
    case 'mapping':
      return { href: buildHref('mapping', path), label: path, kind: t('mapping') };
    case 'import':
      return { href: buildHref('plan', path), label: path, kind: t('plan') };
    case 'export':
      return undefined;
  }
}
