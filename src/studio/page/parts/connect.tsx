import { useSignal } from '@preact/signals';
import type { RequestProblem } from '../../wire/problem.ts';
import { callRoute, toRequestProblem } from '../call.ts';
import { t } from '../language.ts';
import { project, setWorksInSandbox, worksInSandbox } from '../project.ts';
import { Checkbox, TextField } from './choice.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './notice.tsx';

interface ConnectDialogProps {
  onClose(): void;
  onConnected(): void;
  /** Called when the user has chosen the local sandbox for this tab. */
  onSandbox(): void;
}

/**
 * A dialog that offers the local sandbox, or asks for the address and the token of a workspace and connects the page to
 * it.
 */
export function ConnectDialog({ onClose, onConnected, onSandbox }: ConnectDialogProps) {
  const address = useSignal(project.value.workspace ?? '');
  const token = useSignal('');
  const busy = useSignal(false);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const isLacking = address.value.trim() === '' || token.value.trim() === '';
  const connect = async () => {
    busy.value = true;
    problem.value = undefined;
    try {
      const { workspace } = await callRoute('connect', { baseUrl: address.value, token: token.value });
      project.value = { ...project.value, workspace };
      setWorksInSandbox(false);
      onConnected();
    } catch (error) {
      problem.value = toRequestProblem(error);
    } finally {
      busy.value = false;
    }
  };
  return (
    <Dialog title={t('Which workspace?')} onClose={onClose}>
      <p>
        {t('To try things out, use the local sandbox: a workspace on this machine that no one else sees.')}
      </p>
      <p>
        <button
          type="button"
          onClick={() => {
            setWorksInSandbox(true);
            onSandbox();
          }}
        >
          {t('Use the sandbox')}
        </button>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLacking && !busy.value) void connect();
        }}
      >
        <p>{t('Or connect your own:')}</p>
        <TextField
          label={t('Address of the workspace')}
          placeholder="https://…/v1"
          value={address.value}
          onInput={(text) => (address.value = text)}
        />
        <TextField
          label={t('Token of the workspace')}
          type="password"
          note={t(
            'In the workspace settings: Integrations, Developer API. Both are kept in memory until the studio ends, and in no file.',
          )}
          onInput={(text) => (token.value = text)}
        />
        <ProblemNotice problem={problem.value} />
        <p class="buttons">
          <button type="submit" class="quiet" aria-disabled={busy.value || isLacking}>
            {busy.value ? t('Connecting…') : t('Connect')}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            {t('Cancel')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** The button in the header that shows the connected workspace, and connects another one. */
export function WorkspaceButton() {
  const isOpen = useSignal(false);
  const { workspace, readOnly } = project.value;
  if (readOnly) return null;
  const close = () => (isOpen.value = false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => (isOpen.value = true)}>
        {worksInSandbox.value
          ? t('Workspace: {name}', { name: t('the local sandbox') })
          : workspace === null
            ? t('Connect a workspace')
            : t('Workspace: {name}', { name: new URL(workspace).host })}
      </button>
      {isOpen.value && <ConnectDialog onClose={close} onConnected={close} onSandbox={close} />}
    </>
  );
}

/** The box that chooses the local sandbox for this tab. */
export function SandboxCheckbox({ label }: { readonly label: string }) {
  return <Checkbox label={label} checked={worksInSandbox.value} onChange={setWorksInSandbox} />;
}
