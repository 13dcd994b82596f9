import type { MappingInput, MappingUse } from '../../wire/mapping.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { LabelledControl } from '../parts/choice.tsx';

interface InputChoiceProps {
  readonly uses: readonly MappingUse[] | undefined;
  readonly input: MappingInput | undefined;
  onChoose(input: MappingInput | undefined): void;
}

/** A select field for the input that the mapping is applied to: that of a pipeline, or a file of the project. */
export function MappingInputSelect({ uses, input, onChoose }: InputChoiceProps) {
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
