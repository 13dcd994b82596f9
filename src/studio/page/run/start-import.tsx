import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { CheckResult, StudioProcess } from '../../wire/processes.ts';
import { counted } from '../figures.ts';
import { useAnswer } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { goTo, hrefOf } from '../place.ts';
import { project } from '../project.ts';
import { CheckFindings } from './check-findings.tsx';

/** Choose a pipeline, see what check says of it, and start the import. */
export function StartImport() {
  const { value: listed, problem } = useAnswer('files', {});
  const chosen = useSignal<string | undefined>(undefined);
  const isRehearsal = useSignal(false);
  const found = useSignal<CheckResult | undefined>(undefined);
  const checking = useSignal<StudioProcess | undefined>(undefined);
  const [select, box] = [useId(), useId()];
  const pipelines = listed.value?.files.filter(({ kind }) => kind === 'import') ?? [];
  const opened = pipelines.find(({ path }) => path === project.value.opened);
  const pipeline = chosen.value ?? opened?.path ?? pipelines[0]?.path;
  const startOver = () => {
    found.value = undefined;
    checking.value = undefined;
  };
  const onStarted = ({ id }: StudioProcess) => goTo(hrefOf('run', 'command', id));
  return (
    <section aria-labelledby={`${select}-head`}>
      <h2 id={`${select}-head`}>Start an import</h2>
      <ProblemNotice problem={problem.value} />
      {listed.value !== undefined && pipelines.length === 0 && (
        <p>
          There is no pipeline that imports below this folder yet.{' '}
          <code>{project.value.typing.program} draft FILE</code> writes one.
        </p>
      )}
      {pipeline !== undefined && (
        <>
          <div class="field">
            <label for={select}>Pipeline</label>
            <select
              id={select}
              value={pipeline}
              onChange={(event) => {
                chosen.value = event.currentTarget.value;
                startOver();
              }}
            >
              {pipelines.map(({ path }) => (
                <option key={path}>{path}</option>
              ))}
            </select>
          </div>
          <StartButton
            label="Check"
            quiet
            command={{ command: 'check', pipeline }}
            disabled={checking.value?.state === 'running'}
            onStarted={(process) => {
              startOver();
              checking.value = process;
            }}
          />
          {checking.value !== undefined && (
            <CheckFindings
              key={checking.value.id}
              process={checking.value}
              onFound={(result) => {
                found.value = result;
              }}
              onEnded={(process) => {
                checking.value = process;
              }}
            />
          )}
          <div class="field inline">
            <input
              id={box}
              type="checkbox"
              checked={isRehearsal.value}
              onChange={(event) => {
                isRehearsal.value = event.currentTarget.checked;
              }}
            />
            <label for={box}>Into the local sandbox, to try it out</label>
          </div>
          <StartButton
            label="Start the import"
            command={{ command: 'import', pipeline, ...(isRehearsal.value && { workspace: 'sandbox' }) }}
            confirm={{ title: 'Start this import?', children: <Counts found={found.value} /> }}
            onStarted={onStarted}
          />
        </>
      )}
    </section>
  );
}

/** What the check has counted; without one nobody knows. */
function Counts({ found }: { readonly found: CheckResult | undefined }) {
  if (found?.rows === undefined || found.rows === null)
    return <p>The rows were not checked: how many will pass is not known.</p>;
  const { read, pass, rejected } = found.rows;
  return (
    <p>
      {counted(read, 'row')} in the input: {counted(pass, 'row')} pass, {counted(rejected, 'row')} would be
      rejected.
    </p>
  );
}
