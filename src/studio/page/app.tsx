import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RequestProblem } from '../wire/problem.ts';
import { callRoute } from './call.ts';
import { useAttempt } from './hooks.ts';
import { type ImportStep, NextStepLink, useImportSteps } from './import-steps.tsx';
import { WorkspaceButton } from './parts/connect.tsx';
import { Notice, ProblemNotice } from './parts/notice.tsx';
import { buildHref, goTo, pageLocation } from './place.ts';
import { project } from './project.ts';
import { saveSession, sessionToken } from './session.ts';
import { type View, views } from './views.ts';

/** The page: the header with the navigation, and the current view. */
export function App() {
  const isReady = useSignal(false);
  const { problem, attempt } = useAttempt();
  const { view, rest } = pageLocation.value;
  const [code = ''] = rest;
  const token = sessionToken.value;
  useEffect(() => {
    if (view !== 'open') return;
    attempt(async () => {
      try {
        saveSession((await callRoute('startSession', { code })).token);
      } catch (error) {
        // A used link, opened again in a browser that is connected, shows the page.
        if (sessionToken.value === null) throw error;
      }
      // The code is valid only once, so it does not stay in the address and the history.
      goTo('#/', { replacing: true });
    });
  }, [view, code]);
  useEffect(() => {
    if (token === null) return;
    attempt(async () => {
      project.value = await callRoute('project', {});
      isReady.value = true;
    });
  }, [token]);

  const isOpen = isReady.value && token !== null;
  return (
    <>
      <header>
        <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to the content
        </button>
        <p class="name">
          <b>Longshore</b> studio {isReady.value && <span>{project.value.name}</span>}
        </p>
        {isOpen && <WorkspaceButton />}
      </header>
      {isOpen && view !== 'open' ? (
        <Project rest={rest} view={view} problem={problem.value} />
      ) : (
        <main id="main" tabIndex={-1}>
          <ProblemNotice problem={problem.value} />
          {token === null && view !== 'open' && <NoSession />}
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

/** The navigation, the current view, and the link to the next step. */
function Project({ view, rest, problem }: ProjectProps) {
  const steps = useImportSteps();
  return (
    <>
      <Navigation steps={steps} />
      <main id="main" tabIndex={-1}>
        <ProblemNotice problem={problem} />
        <Present rest={rest} view={view} />
        <NextStepLink steps={steps} />
      </main>
    </>
  );
}

/** The steps of an import with their states, in order, and the views beside them. */
function Navigation({ steps }: { readonly steps: readonly ImportStep[] }) {
  const shown = views.filter(isShown);
  return (
    <nav aria-label="Views">
      <ol aria-label="Steps of an import">
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
      {project.value.readOnly && <span class="tag look">read-only</span>}
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

function isShown({ name }: View): boolean {
  return name !== 'fleet' || project.value.hasFleet;
}

function Present({ view, rest }: { readonly view: string; readonly rest: readonly string[] }) {
  const found = views.find(({ name }) => name === view) ?? (view === '' ? firstView() : undefined);
  const title = found?.title ?? 'Not there';
  useEffect(() => {
    document.title = `${title} – ${project.value.name} – Longshore studio`;
  }, [title]);
  if (found === undefined)
    return (
      <Notice tone="look">
        <p class="message">There is no view called {view}.</p>
        <p class="next">Choose one above.</p>
      </Notice>
    );
  const Shown = found.show;
  return (
    <>
      <h1>{title}</h1>
      <Shown rest={rest} />
    </>
  );
}

function NoSession() {
  return (
    <Notice tone="look">
      <p class="message">This page is not connected to the studio.</p>
      <p class="next">
        Open the link that the terminal shows. Each is good once: press Enter there for another one, or type
        longshore studio again. What was started continues meanwhile.
      </p>
    </Notice>
  );
}

/** Returns the first view: Run if the studio was started with a YAML file, otherwise Files. */
function firstView() {
  const first = /\.ya?ml$/i.test(project.value.opened ?? '') ? 'run' : 'files';
  return views.find(({ name }) => name === first);
}
