import { useId } from 'preact/hooks';
import type { EffectiveOption, InputPreviewResult } from '../../wire/inputs.ts';
import { t } from '../language.ts';
import { ExternalText } from '../parts/shown-text.tsx';
import { project } from '../project.ts';
import { InputSettingField } from './control.tsx';
import { TableDiagram } from './tables.tsx';
import { type InputOverrides, type InputSettingFlag, withInputOverride } from './typed.ts';

interface HowReadProps {
  /** The preview; undefined for an input that cannot be read. */
  readonly look: InputPreviewResult | undefined;
  readonly typed: InputOverrides;
  onTyped(typed: InputOverrides): void;
}

/** The settings that are shown for an input that cannot be read. */
const always: readonly InputSettingFlag[] = ['format', 'header', 'delimiter', 'encoding'];

/** The detected settings of an input, each with a control that overrides it. */
export function InputSettingsForm({ look, typed, onTyped }: HowReadProps) {
  const id = useId();
  const found = look?.detected ?? [];
  const flags: readonly InputSettingFlag[] =
    look === undefined ? always : ['format', ...found.flatMap(({ flag }) => flag ?? [])];
  const others = found.filter(({ flag, value }) => flag === null && isPlain(value));
  const shown = flags.filter((flag) => flag !== 'sheet' || (look?.sheets.length ?? 0) > 1);
  return (
    <>
      {shown.length > 0 && (
        <fieldset class="fields" aria-describedby={`${id}-about`}>
          <legend>{t('How it is read')}</legend>
          {shown.map((flag) => (
            <InputSettingField
              key={flag}
              flag={flag}
              found={flag === 'format' ? look?.format : found.find((each) => each.flag === flag)?.value}
              typed={typed[flag]}
              isRead={look !== undefined}
              choices={choicesOf(flag, look)}
              onTyped={(value) => onTyped(withInputOverride(typed, flag, value))}
            />
          ))}
        </fieldset>
      )}
      {others.length > 0 && (
        <p class="note" id={`${id}-about`}>
          {t('Also found, to be changed in the pipeline:')}{' '}
          {others.map(({ option, value }, n) => (
            <>
              {n > 0 && ', '}
              <code>
                {option}: <ExternalText text={String(value)} />
              </code>
            </>
          ))}
        </p>
      )}
      {look?.tables != null && <TableDiagram tables={look.tables} />}
    </>
  );
}

function isPlain(value: EffectiveOption['value']): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Returns the choices of a format, sheet or table; undefined for the settings whose choices are fixed. */
function choicesOf(
  flag: InputSettingFlag,
  look: InputPreviewResult | undefined,
): readonly string[] | undefined {
  if (flag === 'format') return project.value.formats;
  if (flag === 'sheet') return look?.sheets;
  return flag === 'table' ? look?.tables?.all.map(({ name }) => name) : undefined;
}
