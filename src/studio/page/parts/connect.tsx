import { useSignal } from '@preact/signals';
import { callRoute } from '../call.ts';
import { useAsyncAction } from '../hooks.ts';
import { t } from '../language.ts';
import { project, setWorksInSandbox, worksInSandbox } from '../project.ts';
import { Button, Checkbox, Form, TextField } from './controls.tsx';
import { Dialog } from './dialog.tsx';
import { ProblemNotice } from './notice.tsx';

interface ConnectDialogProps {
  onClose(): void;
  onConnected(): void;
  /** Called when the user has chosen the local sandbox for this tab. */
  onSandbox(): void;
}

/** A dialog that offers the local sandbox, or connects the page to the user's own workspace. */
export function ConnectDialog({ onClose, onConnected, onSandbox }: ConnectDialogProps) {
  const address = useSignal(project.value.workspace ?? '');
  const token = useSignal('');
  const { problem, busy, attempt } = useAsyncAction();
  const isLacking = address.value.trim() === '' || token.value.trim() === '';
  const connect = async () => {
    const { workspace } = await callRoute('connect', { baseUrl: address.value, token: token.value });
    project.value = { ...project.value, workspace };
    setWorksInSandbox(false);
    onConnected();
  };
  return (
    <Dialog title={t('Which workspace?')} onClose={onClose}>
      <p>
        {t('To try things out, use the local sandbox: a workspace on this machine that no one else sees.')}
      </p>
      <p>
        <Button
          label={t('Use the sandbox')}
          onClick={() => {
            setWorksInSandbox(true);
            onSandbox();
          }}
        />
      </p>
      <Form isOff={isLacking || busy.value} onSubmit={() => attempt(connect)}>
        <p>{t('Or connect your own:')}</p>
        <ProblemNotice problem={problem.value} />
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
        <p class="buttons">
          <Button
            type="submit"
            class="quiet"
            label={busy.value ? t('Connecting…') : t('Connect')}
            aria-disabled={busy.value || isLacking}
          />
          <Button class="quiet" label={t('Cancel')} onClick={onClose} />
        </p>
      </Form>
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
      <Button
        class="quiet"
        label={
          worksInSandbox.value
            ? t('Workspace: {name}', { name: t('the local sandbox') })
            : workspace === null
              ? t('Connect a workspace')
              : t('Workspace: {name}', { name: new URL(workspace).host })
        }
        onClick={() => (isOpen.value = true)}
      />
      {isOpen.value && <ConnectDialog onClose={close} onConnected={close} onSandbox={close} />}
    </>
  );
}

/** The box that chooses the local sandbox for this tab. */
export function SandboxCheckbox({ label }: { readonly label: string }) {
  return <Checkbox label={label} checked={worksInSandbox.value} onChange={setWorksInSandbox} />;
}
