import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { RequestProblem } from '../../wire/problem.ts';
import { toRequestProblem, uploadFile } from '../call.ts';
import { formatBytes, formatPercent } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { Button, SelectField } from '../parts/controls.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { showInvisibleCharacters } from '../parts/shown-text.tsx';
import { project } from '../project.ts';
import { readChosenFiles, readDroppedFiles, type UploadBatch } from './dropped-files.ts';

interface ChooseInputProps {
  readonly chosen: string | undefined;
  onChosen(path: string): void;
}

interface Sending {
  readonly files: number;
  readonly bytes: number;
  readonly sent: number;
  readonly stop: AbortController;
}

/** The controls for choosing an input: dropped files, a file dialog, or a file of the project. */
export function InputChooser({ chosen, onChosen }: ChooseInputProps) {
  const id = useId();
  const isOver = useSignal(false);
  const sending = useSignal<Sending | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const isOff = project.value.readOnly;
  const send = async (dropping: Promise<UploadBatch>) => {
    if (isOff || sending.value !== undefined) return;
    problem.value = undefined;
    const stop = new AbortController();
    try {
      const { folder, files } = await dropping;
      if (files.length === 0) return;
      const bytes = files.reduce((sum, { blob }) => sum + blob.size, 0);
      let before = 0;
      let path = '';
      for (const { name, blob } of files) {
        const progress = (sent: number): void => {
          sending.value = { files: files.length, bytes, sent: before + Math.min(sent, blob.size), stop };
        };
        progress(0);
        const request = { name, ...(folder !== undefined && { folder }) };
        path = (await uploadFile('upload', request, blob, { signal: stop.signal, progress })).path;
        before += blob.size;
      }
      onChosen(folder === undefined ? path : path.slice(0, path.lastIndexOf('/')));
    } catch (error) {
      if (!stop.signal.aborted) problem.value = toRequestProblem(error);
    } finally {
      sending.value = undefined;
    }
  };
  const fromDialog = (input: HTMLInputElement) => {
    if (input.files !== null) void send(Promise.resolve(readChosenFiles(input.files)));
    input.value = '';
  };
  return (
    <section
      aria-labelledby={`${id}-head`}
      class={`choose ${isOver.value ? 'over' : ''} ${chosen === undefined ? 'first' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = !isOff;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        if (event.dataTransfer !== null) void send(readDroppedFiles(event.dataTransfer));
      }}
    >
      <h2 id={`${id}-head`}>{chosen === undefined ? t('Drop a file here') : t('Another file')}</h2>
      {chosen === undefined && (
        <p class="note">
          {t(
            'A table, a workbook, an address book, a database dump or an archive. Several files that belong together, or a folder of them, are read as one input.',
          )}
        </p>
      )}
      <div class="row">
        <FileButton label={t('Choose files…')} disabled={isOff} onFiles={fromDialog} />
        <FileButton label={t('Choose a folder…')} folder disabled={isOff} onFiles={fromDialog} />
        <OfProject key={chosen} chosen={chosen} onChosen={onChosen} />
      </div>
      {sending.value !== undefined && <SendingBar {...sending.value} />}
      <ProblemNotice problem={problem.value} />
    </section>
  );
}

interface FileButtonProps {
  readonly label: string;
  readonly folder?: boolean;
  readonly disabled: boolean;
  onFiles(input: HTMLInputElement): void;
}

function FileButton({ label, folder = false, disabled, onFiles }: FileButtonProps) {
  return (
    <label class="button quiet">
      <input
        class="hidden"
        type="file"
        multiple
        disabled={disabled}
        {...(folder && { webkitdirectory: true })}
        onChange={(event) => onFiles(event.currentTarget)}
      />
      {label}
    </label>
  );
}

function OfProject({ chosen, onChosen }: ChooseInputProps) {
  const { value: listed, problem } = useRouteAnswer('files', {});
  const inputs = listed.value?.files.filter(({ kind }) => kind === 'input') ?? [];
  if (inputs.length === 0) return <ProblemNotice problem={problem.value} />;
  return (
    <SelectField
      label={t('or one of this project')}
      value={chosen ?? ''}
      options={[
        ['', t('Choose…')],
        ...inputs.map(
          ({ path, bytes }) => [path, `${showInvisibleCharacters(path)} (${formatBytes(bytes)})`] as const,
        ),
      ]}
      onChoose={(path) => {
        if (path !== '') onChosen(path);
      }}
    />
  );
}

function SendingBar({ files, bytes, sent, stop }: Sending) {
  const id = useId();
  return (
    <div>
      <label for={id}>
        {t(
          'Copying {n, plural, one {the file} other {# files}} into the work dir: {sent} of {all} ({percent})',
          { n: files, sent: formatBytes(sent), all: formatBytes(bytes), percent: formatPercent(sent, bytes) },
        )}
      </label>
      <progress id={id} max={bytes} value={sent} />
      <Button class="quiet" label={t('Cancel')} onClick={() => stop.abort()} />
    </div>
  );
}
