import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { formatStudioCommandLine, type StudioCommand } from '../../wire/command.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import type { CommandTarget, StudioProcess } from '../../wire/processes.ts';
import { activity } from '../activity.ts';
import { callRoute, callUntilAnswered, RequestError } from '../call.ts';
import { useAsyncAction } from '../hooks.ts';
import { rich, t } from '../language.ts';
import { buildHref, goTo } from '../place.ts';
import { project } from '../project.ts';
import { ConnectDialog } from './connect.tsx';
import { Button, Form, TextField } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './notice.tsx';

interface StartButtonProps {
  readonly command: StudioCommand;
  readonly label: string;
  /** The title and text of the confirmation, to which the workspace is added; undefined for no confirmation. */
  readonly confirm?: { readonly title: string; readonly children: ComponentChildren };
  /** Disables the button, which stays focusable. */
  readonly disabled?: boolean;
  readonly quiet?: boolean;
  /** True to start it without a click, if it needs no confirmation, token or workspace. */
  readonly startsItself?: boolean;
  /** Called with the process; without it, the page of the command is opened. */
  onStarted?(process: StudioProcess): void;
}

/** A button that starts a command, after a confirmation and a missing token; with its command line. */
export function StartButton({
  command,
  label,
  confirm,
  disabled,
  quiet,
  startsItself = false,
  onStarted = ({ id }) => goTo(buildHref('run', 'command', id)),
}: StartButtonProps) {
  const target = useSignal<CommandTarget | undefined>(undefined);
  const isConnecting = useSignal(false);
  const inSandbox = useSignal(false);
  const { problem, busy, attempt } = useAsyncAction(({ needsToken }) => {
    if (needsToken !== undefined)
      target.value = { workspace: needsToken.workspace, needsToken, needsWorkspace: false };
  });
  const chosen = (): StudioCommand =>
    inSandbox.value && 'pipeline' in command ? { ...command, workspace: 'sandbox' } : command;
  const start = async (token?: string) => {
    const request = { command: chosen(), ...(token !== undefined && { token }) };
    const { processes } = activity.value ?? (await callRoute('processes', {}));
    const process = await callRoute('startProcess', request).catch(async (error: unknown) => {
      if (!(error instanceof RequestError) || error.status !== undefined) throw error;
      problem.value = {
        message: t('The studio did not answer: it is not known whether this was started.'),
        next: t(
          'It is not started again by itself. Once the studio answers, this page shows whether it was.',
        ),
      };
      return await findStarted(request.command, processes);
    });
    target.value = undefined;
    onStarted(process);
  };
  const begin = async () => {
    const found = await callRoute('commandTarget', { command: chosen() });
    if (found.needsWorkspace) isConnecting.value = true;
    else if (confirm === undefined && found.needsToken === null) await start();
    else target.value = found;
  };
  const isReady = startsItself && !project.value.readOnly;
  useEffect(() => {
    if (isReady)
      attempt(async () => {
        const { needsWorkspace, needsToken } = await callRoute('commandTarget', { command });
        if (!needsWorkspace && needsToken === null) await start();
      });
  }, [isReady]);
  const isOff = (disabled ?? false) || busy.value;
  return (
    <div class="start">
      <div class="row">
        <Button
          label={label}
          class={quiet ? 'quiet' : ''}
          disabled={project.value.readOnly}
          // A disabled button would lose the keyboard focus.
          aria-disabled={isOff}
          onClick={() => {
            inSandbox.value = false;
            if (!isOff) attempt(begin);
          }}
        />
        <CommandLine command={command} />
      </div>
      {isConnecting.value && (
        <ConnectDialog
          onClose={() => (isConnecting.value = false)}
          onConnected={() => {
            isConnecting.value = false;
            attempt(begin);
          }}
          onSandbox={() => {
            isConnecting.value = false;
            inSandbox.value = true;
            attempt(begin);
          }}
        />
      )}
      {target.value === undefined ? (
        <ProblemNotice problem={problem.value} />
      ) : (
        <Dialog title={confirm?.title ?? label} onClose={() => (target.value = undefined)}>
          <Question
            {...{ target: target.value, label, busy: busy.value, problem: problem.value }}
            onCancel={() => (target.value = undefined)}
            onStart={(token) => attempt(() => start(token))}
          >
            {typeof confirm?.children === 'string' ? <p>{confirm.children}</p> : confirm?.children}
          </Question>
        </Dialog>
      )}
    </div>
  );
}

/** Returns the process of a command that is not among those known before; throws a RequestError if there is none. */
async function findStarted(command: StudioCommand, before: readonly StudioProcess[]): Promise<StudioProcess> {
  const { processes } = await callUntilAnswered('processes', {});
  const known = new Set(before.map(({ id }) => id));
  const fieldsOf = (each: StudioCommand) => JSON.stringify(Object.entries(each).sort());
  const started = processes.find(
    (each) => !known.has(each.id) && fieldsOf(each.command) === fieldsOf(command),
  );
  if (started !== undefined) return started;
  throw new RequestError({
    message: t('It was not started.'),
    next: t('Press the button again to start it.'),
  });
}

interface QuestionProps {
  readonly target: CommandTarget;
  readonly label: string;
  readonly busy: boolean;
  readonly problem: RequestProblem | undefined;
  readonly children: ComponentChildren;
  onCancel(): void;
  onStart(token?: string): void;
}

function Question({ target, label, busy, problem, children, onCancel, onStart }: QuestionProps) {
  const token = useSignal('');
  const { workspace, needsToken } = target;
  const isLacking = needsToken !== null && token.value.trim() === '';
  return (
    <Form
      isOff={isLacking || busy}
      onSubmit={() => onStart(needsToken === null ? undefined : token.value.trim())}
    >
      {workspace !== null && (
        <p>
          {rich('Workspace: {name}', {
            name: <b>{workspace === 'sandbox' ? t('the local sandbox') : workspace}</b>,
          })}
        </p>
      )}
      {children}
      {needsToken !== null && (
        <TextField
          label={t('Token of the workspace')}
          type="password"
          autofocus
          note={t(
            'In the workspace settings: Integrations, Developer API. It is kept in memory until the studio ends, in no file, and reaches the command as {variable}.',
            { variable: needsToken.variable },
          )}
          onInput={(text) => (token.value = text)}
        />
      )}
      <ProblemNotice problem={problem} />
      <p class="buttons">
        {/* Not what is folded above: Enter starts what was asked for. */}
        <Button
          type="submit"
          label={label}
          autofocus={needsToken === null}
          aria-disabled={busy || isLacking}
        />
        <Button class="quiet" label={t('Cancel')} onClick={onCancel} />
      </p>
    </Form>
  );
}

/** A command line as it is typed in a terminal, with a button that copies it; folded until it is asked for. */
function CommandLine({ command }: { readonly command: StudioCommand }) {
  const said = useSignal('');
  const text = formatStudioCommandLine(command, project.value.typing);
  const copy = async () => {
    await navigator.clipboard.writeText(text).then(
      () => (said.value = t('Copied')),
      () => (said.value = t('Not copied: select it and copy it by hand')),
    );
  };
  return (
    <details>
      <summary class="note">{t('Command')}</summary>
      <pre>{text}</pre>
      <Button class="quiet" label={t('Copy')} onClick={() => void copy()} aria-label={t('Copy this line')} />{' '}
      <span class="note" role="status">
        {said}
      </span>
    </details>
  );
}
