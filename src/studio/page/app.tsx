import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { RequestProblem } from '../wire/problem.ts';
import { callRoute, callUntilAnswered } from './call.ts';
import { isStudioUnreachable } from './connection.ts';
import { GoToButton } from './go-to.tsx';
import { useAsyncAction, useWindowTitle } from './hooks.ts';
import { type ImportStep, NextStepLink, useImportSteps } from './import-steps.tsx';
import { rich, t } from './language.ts';
import { WorkspaceButton } from './parts/connect.tsx';
import { Button } from './parts/controls.tsx';
import { Notice, ProblemNotice } from './parts/notice.tsx';
import { buildHref, goTo, type PageLocation, pageLocation } from './place.ts';
import { project, translateRowStates } from './project.ts';
import { saveSession, sessionToken } from './session.ts';
import { listShownViews, type View, views } from './views.ts';

/** The page: the header with the navigation, and the current view. */
export function App() {
  const isReady = useSignal(false);
  const { problem, attempt } = useAsyncAction();
  // After a one-time link is opened in this tab, the tab returns to the view that it showed before.
  const shown = useRef<PageLocation>({ view: '', rest: [] });
  const {
    view,
    rest: [code = ''],
  } = pageLocation.value;
  if (view !== 'open') shown.current = pageLocation.value;
  const token = sessionToken.value;
  useEffect(() => {
    if (view !== 'open') return;
    attempt(async () => {
      try {
        saveSession((await callRoute('startSession', { code })).token);
      } catch (error) {
        // A link that was used before still leads to the page if this browser has a session.
        if (sessionToken.value === null) throw error;
      }
      // The code is valid only once, so it does not stay in the address and the history.
      goTo(buildHref(shown.current.view, ...shown.current.rest), { replacing: true });
    });
  }, [view, code]);
  useEffect(() => {
    if (token === null) return;
    attempt(async () => {
      project.value = translateRowStates(await callUntilAnswered('project', {}));
      isReady.value = true;
    });
  }, [token]);

  return (
    <>
      <header>
        <Button
          class="skip"
          label={t('Skip to the content')}
          onClick={() => document.getElementById('main')?.focus()}
        />
        <p class="name">
          {rich('<b>Longshore</b> studio', { b: (parts) => <b>{parts}</b> })}{' '}
          {isReady.value && <span class="note">{project.value.name}</span>}{' '}
          {isReady.value && project.value.readOnly && <span class="tag look">{t('read-only')}</span>}
        </p>
        {isReady.value && <WorkspaceButton />}
        {isReady.value && <GoToButton />}
      </header>
      {isReady.value ? (
        // Stays rendered when the session ends, so that what the user typed is kept.
        <Project key={project.value.folder} {...shown.current} problem={problem.value} />
      ) : (
        <main id="main" tabIndex={-1}>
          <ConnectionNotice />
          <ProblemNotice problem={problem.value} />
        </main>
      )}
    </>
  );
}

interface ProjectProps {
  readonly view: string;
  readonly rest: readonly string[];
  readonly problem: RequestProblem | undefined;
}

function Project({ view, rest, problem }: ProjectProps) {
  const steps = useImportSteps();
  return (
    <>
      <Navigation steps={steps} />
      <main id="main" tabIndex={-1}>
        <ConnectionNotice />
        <ProblemNotice problem={problem} />
        <Present rest={rest} view={view} />
        <NextStepLink steps={steps} />
      </main>
    </>
  );
}

/** The steps of an import with their states, in order, and the views beside them. */
function Navigation({ steps }: { readonly steps: readonly ImportStep[] }) {
  const shown = listShownViews();
  return (
    <nav aria-label={t('Views')}>
      <ol aria-label={t('Steps of an import')}>
        {shown
          .filter(({ isStep }) => isStep)
          .map((view) => {
            const step = steps.find((each) => each.view === view.name);
            return (
              <li key={view.name} class={step?.isDone ? 'done' : ''}>
                <ViewLink {...view} />
                {step !== undefined && <span class="note">{step.state}</span>}
              </li>
            );
          })}
      </ol>
      <ul>
        {shown
          .filter(({ isStep }) => !isStep)
          .map((view) => (
            <li key={view.name}>
              <ViewLink {...view} />
            </li>
          ))}
      </ul>
    </nav>
  );
}

function ViewLink({ name, title }: View) {
  return (
    <a href={buildHref(name)} aria-current={name === pageLocation.value.view ? 'page' : undefined}>
      {title}
    </a>
  );
}

function Present({ view, rest }: { readonly view: string; readonly rest: readonly string[] }) {
  const found = views.find(({ name }) => name === view) ?? (view === '' ? firstView() : undefined);
  const title = found?.title ?? t('Page not found');
  useWindowTitle(title);
  useFocusOnArrival([view, ...rest].join('/'));
  const Shown = found?.show;
  return (
    <>
      <h1>{title}</h1>
      {Shown === undefined ? (
        <Notice
          tone="look"
          message={t('There is no page called “{view}”.', { view })}
          next={t('Choose one above.')}
        />
      ) : (
        <Shown rest={rest} />
      )}
    </>
  );
}

/** Moves the focus into the content once a link outside of it, or one that is gone by then, has led to another place. */
function useFocusOnArrival(place: string): void {
  const before = useRef(place);
  useEffect(() => {
    if (before.current === place) return;
    before.current = place;
    const main = document.getElementById('main');
    if (main?.contains(document.activeElement) === false) main.focus();
  }, [place]);
}

/** Says why the studio does not answer the page, and what to do; nothing while it does. */
function ConnectionNotice() {
  const { view } = pageLocation.value;
  const isTyping = view === 'mapping';
  if (sessionToken.value === null && view !== 'open')
    return (
      <Notice tone="look" message={t('This page is not connected to the studio.')}>
        <p>
          {t(
            'Press Enter in the terminal in which the studio runs, and open the link that it shows, in any tab of this browser: this page then continues by itself.',
          )}{' '}
          {isTyping && t('What you typed is kept and sent then.')}{' '}
          {t('If the studio has stopped, type longshore studio. Anything already started keeps running.')}
        </p>
      </Notice>
    );
  if (!isStudioUnreachable.value) return null;
  return (
    <Notice tone="look">
      <p class="message">
        {t('The studio does not answer.')}{' '}
        {isTyping
          ? t('What you typed is kept and sent when it is back.')
          : t('The page continues by itself when it is back.')}
      </p>
      <p>{t('Anything it started keeps running. If it was stopped, type longshore studio in a terminal.')}</p>
    </Notice>
  );
}

/** Returns the first view: Run if the studio was started with a YAML file, otherwise Files. */
function firstView() {
  const first = /\.ya?ml$/i.test(project.value.opened ?? '') ? 'run' : 'files';
  return views.find(({ name }) => name === first);
}
