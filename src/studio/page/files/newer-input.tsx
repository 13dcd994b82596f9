import { useSignal } from '@preact/signals';
import type { NewerInput, SimilarImport } from '../../wire/inputs.ts';
import type { YamlFile } from '../../wire/project.ts';
import type { RunListEntry } from '../../wire/runs.ts';
import { activity, isToBeContinued } from '../activity.ts';
import { callRoute } from '../call.ts';
import { useAsyncAction, useRouteAnswer, useStreamedAnswer } from '../hooks.ts';
import { setDefaultImportPipeline } from '../import-pipelines.tsx';
import { rich, t } from '../language.ts';
import { Button, ButtonLink } from '../parts/controls.tsx';
import { FactList } from '../parts/lists.tsx';
import { Notice, Section, StatusNote } from '../parts/notice.tsx';
import { ExternalText } from '../parts/shown-text.tsx';
import { buildHref } from '../place.ts';
import { project } from '../project.ts';
import { formatFileName } from '../run/run-name.ts';
import { listRunsOfImport } from './imports.tsx';
import {
  formatSettingValue,
  type InputOverrides,
  type InputSettingFlag,
  settingLabels,
} from './input-settings.tsx';

interface FileProps {
  readonly path: string;
  readonly typed: InputOverrides;
}

/** What a newer file for an import is, before it is chosen. */
export function NewerInputIntroduction({ pipeline }: { readonly pipeline: string }) {
  return (
    <Section title={t('A newer file for {pipeline}', { pipeline: formatFileName(pipeline) })}>
      <p class="note">
        {t(
          'Choose the newer export of the same system. The mapping and its answers stay; rows that have not changed send nothing, and no comment is sent again.',
        )}
      </p>
    </Section>
  );
}

/** The offer to import a file as a newer one of an import whose current file has all or most of its columns. */
export function NewerInputOffer({ path, typed }: FileProps) {
  const { value: listed } = useRouteAnswer('imports', project.value.readOnly ? null : {});
  const all = listed.value?.imports ?? [];
  const { value } = useStreamedAnswer(
    'similarImports',
    'similarImports',
    all.length === 0 ? null : { path, ...typed },
  );
  return value.value?.imports.map((similar) => {
    const input = all.find(({ pipeline }) => pipeline === similar.pipeline)?.input;
    if (input === undefined) return null;
    const file = formatFileName(input);
    const isSame = similar.missing.length === 0;
    return (
      <Notice
        key={similar.pipeline}
        tone={isSame ? 'good' : 'quiet'}
        message={
          isSame
            ? rich(
                'The same columns as {file}: imported as a newer file, people and comments that were imported already are recognised.',
                { file: <ExternalText text={file} /> },
              )
            : rich(
                'Most columns are those of {file}. Is it a newer export of the same system? Then import it as a newer file: people and comments that were imported already are recognised.',
                { file: <ExternalText text={file} /> },
              )
        }
      >
        {!isSame && <Differences {...similar} file={file} />}
        <p class="buttons">
          <ButtonLink
            quiet
            label={t('Import as a newer file of {file}', { file })}
            href={buildHref('files', path, similar.pipeline)}
          />
        </p>
      </Notice>
    );
  });
}

function Differences({ missing, added, file }: Omit<SimilarImport, 'pipeline'> & { readonly file: string }) {
  return (
    <FactList
      facts={{
        [t('Only in {file}', { file })]: <ExternalText text={missing.join(', ')} />,
        [t('Only in this file')]: added.length === 0 ? null : <ExternalText text={added.join(', ')} />,
      }}
    />
  );
}

/** A text of the pipeline that was replaced, and the etag of the text that replaced it. */
interface ReplacedPipeline extends Pick<YamlFile, 'text' | 'etag'> {
  readonly input: string;
}

/** How a file fits to an import, and the button that makes the import read it. */
export function NewerInputSection({ path, typed, pipeline }: FileProps & { readonly pipeline: string }) {
  const { value: listed, problem: unlisted, reload } = useRouteAnswer('imports', {});
  const replaced = useSignal<ReplacedPipeline | undefined>(undefined);
  const { problem: refused, attempt } = useAsyncAction();
  const current = listed.value?.imports.find((each) => each.pipeline === pipeline);
  const isCurrent = current?.input === path;
  const { value, problem } = useStreamedAnswer(
    'newerInput',
    'newer',
    current === undefined || isCurrent ? null : { path, pipeline, ...typed },
  );
  const newer = value.value?.newer;
  const write = ({ text, etag }: Pick<YamlFile, 'text' | 'etag'>, input: string | undefined) =>
    attempt(async () => {
      const before = await callRoute('readYaml', { path: pipeline });
      const after = await callRoute('writeYaml', { path: pipeline, text, etag });
      replaced.value = input === undefined ? undefined : { text: before.text, etag: after.etag, input };
      setDefaultImportPipeline(pipeline);
      reload();
    });
  const fit = problem.value === undefined && !isCurrent ? newer : undefined;
  return (
    <Section
      title={t('A newer file for {pipeline}', { pipeline: formatFileName(pipeline) })}
      problem={unlisted.value ?? problem.value ?? refused.value}
    >
      {isCurrent && (
        <CurrentInput
          path={path}
          pipeline={pipeline}
          isMissingColumns={(newer?.missing?.length ?? 0) > 0}
          replaced={replaced.value}
          onUse={(before) => write(before, undefined)}
        />
      )}
      {current !== undefined && !isCurrent && newer === undefined && problem.value === undefined && (
        <StatusNote>{t('Comparing it with {file}…', { file: formatFileName(current.input) })}</StatusNote>
      )}
      {current !== undefined && fit !== undefined && (
        <>
          <Comparison newer={fit} />
          <UseIt run={listRunsOfImport(current)[0]} onUse={() => write(fit.pipeline, current.input)} />
        </>
      )}
    </Section>
  );
}

/** What of the columns and the settings is not as in the current file. */
function Comparison({ newer: { missing, added, changed } }: { readonly newer: NewerInput }) {
  return (
    <>
      {missing?.length === 0 && <p>{t('It has every column that the mapping reads.')}</p>}
      {missing !== null && missing.length > 0 && (
        <Notice
          tone="look"
          message={rich(
            '{n, plural, one {The mapping reads a column that this file does not have: {names}.} other {The mapping reads # columns that this file does not have: {names}.}}',
            { n: missing.length, names: <ExternalText text={missing.join(', ')} /> },
          )}
          next={t(
            'Renamed columns: use the file, and choose them under Mapping. Columns that were left out by mistake: export the file again.',
          )}
        />
      )}
      {added.length > 0 && (
        <p>
          {rich('New columns, left out until you give them a target under Mapping: {names}.', {
            names: <ExternalText text={added.join(', ')} />,
          })}
        </p>
      )}
      {changed.length > 0 && (
        <>
          <p>{t('It is not written as the current file is. The import will read it like this:')}</p>
          <FactList
            facts={Object.fromEntries(
              changed.map(({ option, flag, from, to }) => [
                flag === null ? option : settingLabels[flag],
                <ExternalText
                  key={option}
                  text={[from, to].map((value) => shown(flag, value)).join(' → ')}
                />,
              ]),
            )}
          />
        </>
      )}
    </>
  );
}

function shown(flag: InputSettingFlag | null, value: string | null): string {
  if (value === null) return t('not set');
  return flag === null ? value : formatSettingValue(flag, value === '\t' ? 'tab' : value);
}

interface UseItProps {
  readonly run: RunListEntry | undefined;
  onUse(): void;
}

/** The button that makes the import read a file; none while the import runs. */
function UseIt({ run, onUse }: UseItProps) {
  const isRunning = run?.state === 'running' || run?.state === 'elsewhere';
  const isUnfinished = run !== undefined && isToBeContinued(run);
  return (
    <>
      {run !== undefined && (isRunning || isUnfinished) && (
        <Notice tone="look">
          <p class="message">
            {isRunning
              ? t('The import of {file} is running.', { file: formatFileName(run.input) })
              : t('The import of {file} is not finished.', { file: formatFileName(run.input) })}{' '}
            <a href={buildHref('run', run.run)}>{t('Open the run')}</a>
          </p>
          <p>
            {isRunning
              ? t('Wait until it has ended, or stop it.')
              : t(
                  'You can continue it first, with its own file. Otherwise the next import starts with the newer file, and recognises what was imported already.',
                )}
          </p>
        </Notice>
      )}
      {run !== undefined && !isRunning && <PendingCorrections run={run} />}
      {!project.value.readOnly && !isRunning && (
        <>
          <p class="note">
            {t(
              'Mapping, plan, rehearsal and import then read this file. The answers and the memory of what was imported stay.',
            )}
          </p>
          <p class="buttons">
            <Button label={t('Use this file from now on')} onClick={onUse} />
          </p>
        </>
      )}
    </>
  );
}

/** A notice of corrected rows that were not retried yet; nothing without any. */
function PendingCorrections({ run: { run, input } }: { readonly run: RunListEntry }) {
  const { value } = useRouteAnswer('rejects', { run });
  const n = Object.keys(value.value?.corrections ?? {}).length;
  if (n === 0) return null;
  return (
    <Notice tone="look">
      <p class="message">
        {t(
          '{n, plural, one {A corrected row of {file} was not retried yet.} other {# corrected rows of {file} were not retried yet.}}',
          { n, file: formatFileName(input) },
        )}{' '}
        <a href={buildHref('run', run)}>{t('Open the run')}</a>
      </p>
      <p>
        {t(
          'You can retry them first. Otherwise the next import keeps the correction of each row that the newer file still has as it was, and lists the others.',
        )}
      </p>
    </Notice>
  );
}

interface CurrentInputProps {
  readonly path: string;
  readonly pipeline: string;
  readonly isMissingColumns: boolean;
  readonly replaced: ReplacedPipeline | undefined;
  onUse(before: ReplacedPipeline): void;
}

/** That an import reads a file now, the way on, and the way back to the file before. */
function CurrentInput({ path, pipeline, isMissingColumns, replaced, onUse }: CurrentInputProps) {
  const mapping = activity.value?.progress?.mapping;
  return (
    <Notice
      tone="good"
      message={rich('{pipeline} reads {file} now.', {
        pipeline: <ExternalText text={formatFileName(pipeline)} />,
        file: <ExternalText text={formatFileName(path)} />,
      })}
    >
      <p class="buttons">
        {isMissingColumns ? (
          <ButtonLink
            label={t('Map the columns')}
            href={buildHref('mapping', ...(mapping == null ? [] : [mapping]))}
          />
        ) : (
          <ButtonLink label={t('Plan the import')} href={buildHref('plan', pipeline)} />
        )}
        {replaced !== undefined && (
          <Button
            class="quiet"
            label={t('Use {file} again', { file: formatFileName(replaced.input) })}
            onClick={() => onUse(replaced)}
          />
        )}
      </p>
    </Notice>
  );
}
