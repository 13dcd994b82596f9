import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { RequestProblem } from '../../wire/problem.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import { listenToStream } from '../events.ts';
import { t } from '../language.ts';
import { buildHref } from '../place.ts';
import { Notice, ProblemNotice } from './notice.tsx';

interface ProcessMessagesProps {
  readonly id: string;
  /** The sentence for a failed command, shown with its error; undefined if it has not failed. */
  readonly failure?: string | undefined;
  /** Called once, when the process has ended. */
  onEnded?(process: StudioProcess): void;
}

/** The messages that a command writes to standard error, while it runs and after its end. */
export function ProcessMessages({ id, failure, onEnded }: ProcessMessagesProps) {
  const text = useSignal('');
  const problem = useSignal<RequestProblem | undefined>(undefined);
  useEffect(() => {
    return listenToStream(
      'processOutput',
      { id },
      {
        event(event) {
          problem.value = undefined;
          if (event.kind === 'messages') text.value += event.text;
          else onEnded?.(event.process);
        },
        begin: () => (text.value = ''),
        problem: (why) => (problem.value = why),
      },
    );
  }, [id]);
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {failure === undefined ? (
        <Messages text={text.value} />
      ) : (
        <Notice tone="bad" message={failure}>
          {readPrintedError(text.value).map((line) => (
            <ErrorLine key={line} text={line} />
          ))}
        </Notice>
      )}
      {failure !== undefined && text.value !== '' && (
        <details>
          <summary>{t('Messages of the command')}</summary>
          <Messages text={text.value} />
        </details>
      )}
    </>
  );
}

function Messages({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by the keyboard
    <pre role="log" aria-label={t('Messages of the command')} tabIndex={0}>
      {text}
    </pre>
  );
}

/** Returns the lines of the last error that a command has printed, without its next command; empty for none. */
function readPrintedError(text: string): readonly string[] {
  const lines = text.trimEnd().split('\n');
  const begin = lines.findLastIndex((line) => line.startsWith('error: '));
  if (begin < 0) return [];
  const more = lines.slice(begin + 1);
  const end = more.findIndex((line) => !line.startsWith('       '));
  return [lines[begin] ?? '', ...more.slice(0, end < 0 ? undefined : end)]
    .map((line) => line.replace(/^error: /, '').trim())
    .filter((line) => line !== '');
}

/** A line of an error; the place of a mistake in a mapping is a link to it. */
function ErrorLine({ text }: { readonly text: string }) {
  const [, file, line, said = ''] = /^(\S+\.ya?ml):(\d+)(?::\d+)?:? *(.*)$/.exec(text) ?? [];
  if (file === undefined || line === undefined) return <p>{text}</p>;
  const at = t('{file}, line {line, number}', { file, line: Number(line) });
  const isMapping = /(?:^|\/)mappings?[^/]*(?:\/|\.ya?ml$)/.test(file);
  return (
    <p>
      {isMapping ? <a href={buildHref('mapping', file, line)}>{at}</a> : at}: {said}
    </p>
  );
}
