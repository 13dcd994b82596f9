import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { MappingInput, MappingUse } from '../../wire/mapping.ts';
import { activity } from '../activity.ts';
import { useRouteAnswer, useStreamedAnswer } from '../hooks.ts';
import { useSetDefaultImportPipeline } from '../import-pipelines.tsx';
import { t } from '../language.ts';
import { Button, LabelledControl } from '../parts/controls.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { ColumnGrid } from './column-grid.tsx';
import { RowCountsSection } from './counts-section.tsx';
import { MappingMistakes, YamlEditorPane } from './editor-pane.tsx';
import { buildGridLines } from './grid-lines.ts';
import { MappingEditorState } from './open-mapping.ts';
import { PipelineQuestions } from './pipeline-questions.ts';
import { DraftQuestionList } from './questions.tsx';
import { RowsDialog } from './rows-dialog.tsx';
import { SavedStateNotice } from './saved-state.tsx';
import { UndoOrder } from './undo-order.ts';
import type { CurrentRowSelector, RowsFilter } from './view-state.ts';
import { WorkspaceNamesButton } from './workspace-names.tsx';

const key = 'longshore-yaml';

/** True if this tab shows the YAML of mappings; kept when the page is reloaded. */
const isYamlShown = signal(sessionStorage.getItem(key) !== null);

function showYaml(isShown: boolean): void {
  if (isShown) sessionStorage.setItem(key, 'shown');
  else sessionStorage.removeItem(key);
  isYamlShown.value = isShown;
}

interface MappingPageProps {
  readonly path: string;
  /** The line to show in the YAML; undefined for none. */
  readonly at: number | undefined;
}

/** The page of a mapping: its columns in the full width, or beside its text while the YAML is shown. */
export function MappingPage({ path, at }: MappingPageProps) {
  const [undo] = useState(() => new UndoOrder());
  const [open] = useState(() => new MappingEditorState(path, undo));
  useEffect(() => () => open.close(), [open]);
  const uses = useRouteAnswer('mappingUses', { path });
  const chosen = useSignal<MappingInput | undefined>(undefined);
  const wanted = useSignal<CurrentRowSelector>({ number: 0 });
  const used = uses.value.value?.uses ?? [];
  const { input, isOfPipeline, pipeline } = chooseInput(chosen.value, used);
  useSetDefaultImportPipeline(pipeline);
  const asked = usePipelineQuestions(pipeline, undo);
  const reading = asked?.writes.value;
  const text = open.settled.value;
  const request = input === undefined || text === '' ? null : { input, path, text };
  const columns = useStreamedAnswer(
    'mappingColumns',
    'columns',
    input === undefined ? null : { input },
    reading,
  );
  const counts = useStreamedAnswer('mappingCounts', 'counts', request, reading);
  const row = useStreamedAnswer('mappingRow', 'row', request && { ...request, row: wanted.value }, reading);
  const rowsOf = useSignal<RowsFilter | undefined>(undefined);
  const view = {
    ...{ open, columns, counts, row, wanted, request, rowsOf },
    pipeline: isOfPipeline ? asked : undefined,
  };
  const line = useSignal<number | undefined>(undefined);
  const showLine = (to: number) => {
    showYaml(true);
    line.value = to;
  };
  useEffect(() => {
    if (at !== undefined) showLine(at);
  }, [at]);
  const found = columns.value.value?.columns;
  const names = found?.columns.map(({ name }) => name) ?? [];
  const summary = open.shown.value;
  const lines = found && summary && buildGridLines(found, summary);
  const inGrid = new Set(lines?.flatMap(({ questions }) => questions));
  // While the columns are read it is not known yet which of the questions are about one of them.
  const isChoosing = uses.value.value === undefined && uses.problem.value === undefined;
  const isReading =
    found === undefined && columns.problem.value === undefined && (input !== undefined || isChoosing);
  return (
    <div class={isYamlShown.value ? 'beside' : ''}>
      <div>
        <section aria-label={t('Mapping and input')} class="row">
          <div class="path">
            <a href={buildHref('mapping')}>{t('All mappings')}</a> <b>{path}</b>
          </div>
          <SavedStateNotice open={open} />
          <HistoryButtons undo={undo} />
          <Button
            class="quiet"
            label={isYamlShown.value ? t('Hide the YAML') : t('Show the YAML')}
            aria-expanded={isYamlShown.value}
            onClick={() => {
              showYaml(!isYamlShown.value);
              requestAnimationFrame(() => document.getElementById('yaml-head')?.focus());
            }}
          />
          <ProblemNotice problem={open.problem.value ?? uses.problem.value} />
          <MappingMistakes open={open} onLine={showLine} />
          <MappingInputSelect
            {...{ uses: uses.value.value?.uses, input }}
            onChoose={(other) => {
              chosen.value = other;
              wanted.value = { number: 0 };
            }}
          />
          <WorkspaceNamesButton pipeline={pipeline} />
        </section>
        <DraftQuestionList
          open={open}
          pipeline={asked}
          names={names.filter(isName)}
          questions={isReading ? [] : (summary?.questions.filter((each) => !inGrid.has(each)) ?? [])}
          columns={lines?.filter((line) => line.questions.length > 0).length ?? 0}
        />
        {input !== undefined && (
          <>
            <ColumnGrid {...{ lines, view }} />
            <RowCountsSection {...view} />
            {rowsOf.value !== undefined && <RowsDialog {...view} filter={rowsOf.value} />}
          </>
        )}
      </div>
      {isYamlShown.value && <YamlEditorPane {...{ open, line }} columns={() => names} />}
    </div>
  );
}

/** Returns false for a column whose name is still a question of the draft. */
const isName = (name: string) => !/^TODO(?:$|[:\s])/.test(name);

/** Elements with an undo of their own, and dialogs. */
const withOwnUndo =
  'input:not([type="checkbox"], [list]:placeholder-shown), textarea, [contenteditable], dialog';

const steps = [
  { label: t('Undo'), keys: t('Ctrl-Z'), by: -1 },
  { label: t('Redo'), keys: t('Ctrl-Shift-Z'), by: 1 },
] as const;

/** Returns the open questions of a pipeline, which are read again whenever the number of open questions has changed. */
function usePipelineQuestions(pipeline: string | undefined, undo: UndoOrder): PipelineQuestions | undefined {
  const asked = useMemo(
    () => (pipeline === undefined ? undefined : new PipelineQuestions(pipeline, undo)),
    [pipeline],
  );
  const known = activity.value?.progress?.questions;
  useEffect(() => void asked?.read(), [asked, known]);
  return asked;
}

/** Buttons that undo and redo, as Ctrl-Z and Ctrl-Shift-Z do outside of text fields. */
function HistoryButtons({ undo }: { readonly undo: UndoOrder }) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isField = event.target instanceof Element && event.target.closest(withOwnUndo) !== null;
      if (isField || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      undo.step(event.shiftKey ? 1 : -1);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [undo]);
  return (
    <>
      {steps.map(({ label, keys, by }) => (
        <Button
          key={label}
          class="quiet"
          label={label}
          title={keys}
          aria-disabled={!undo.can(by)}
          onClick={() => undo.step(by)}
        />
      ))}
    </>
  );
}

/** Returns the chosen input, or that of the first pipeline that reads a file, and the pipeline that is asked about. */
function chooseInput(chosen: MappingInput | undefined, uses: readonly MappingUse[]) {
  const usual = uses.find((use) => use.input !== null);
  const input: MappingInput | undefined = chosen ?? (usual && { kind: 'pipeline', path: usual.pipeline });
  const isOfPipeline = input?.kind === 'pipeline';
  return { input, isOfPipeline, pipeline: isOfPipeline ? input.path : uses[0]?.pipeline };
}

interface InputChoiceProps {
  readonly uses: readonly MappingUse[] | undefined;
  readonly input: MappingInput | undefined;
  onChoose(input: MappingInput | undefined): void;
}

/** A select field for the input that the mapping is applied to: that of a pipeline, or a file of the project. */
function MappingInputSelect({ uses, input, onChoose }: InputChoiceProps) {
  const { value } = useRouteAnswer('files', {});
  const files = value.value?.files.filter(({ kind }) => kind === 'input') ?? [];
  if (uses === undefined) return null;
  return (
    <LabelledControl label={t('Rows from')}>
      {(id) => (
        <select
          id={id}
          value={input === undefined ? '' : JSON.stringify(input)}
          onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : JSON.parse(value))}
        >
          {input === undefined && <option value="">{t('Choose an input')}</option>}
          <optgroup label={t('Pipelines with this mapping')}>
            {uses.map(({ pipeline, input: reads }) => (
              <option
                key={pipeline}
                value={JSON.stringify({ kind: 'pipeline', path: pipeline })}
                disabled={reads === null}
              >
                {reads === null
                  ? t('{pipeline} (reads no file of this project)', { pipeline })
                  : `${pipeline} (${reads})`}
              </option>
            ))}
          </optgroup>
          <optgroup label={t('Files')}>
            {files.map(({ path }) => (
              <option key={path} value={JSON.stringify({ kind: 'file', path })}>
                {path}
              </option>
            ))}
          </optgroup>
        </select>
      )}
    </LabelledControl>
  );
}
