import { useId } from 'preact/hooks';
import type { EffectiveOption, InputPreviewResult } from '../../wire/inputs.ts';
import { t } from '../language.ts';
import { Button, Checkbox, LabelledControl } from '../parts/controls.tsx';
import { ExternalText, showInvisibleCharacters } from '../parts/shown-text.tsx';
import { project } from '../project.ts';
import { TableDiagram } from './tables.tsx';

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

interface ControlProps {
  readonly flag: InputSettingFlag;
  /** The value in effect: the detected one, or the user's. */
  readonly found: unknown;
  readonly typed: string | undefined;
  readonly isRead: boolean;
  readonly choices: readonly string[] | undefined;
  onTyped(value: string | undefined): void;
}

/** The label of each setting of an input. */
export const settingLabels: Readonly<Record<InputSettingFlag, string>> = {
  format: t('Format'),
  header: t('Line of the column names'),
  sheet: t('Sheet'),
  table: t('Table of the people'),
  delimiter: t('Delimiter'),
  encoding: t('Encoding'),
};

const delimiters: Readonly<Record<string, string>> = {
  ',': t('comma  ,'),
  ';': t('semicolon  ;'),
  tab: t('tab'),
  '|': t('pipe  |'),
  ':': t('colon  :'),
};

/** Labels of formats whose names are not self-explanatory. */
const formats: Readonly<Record<string, string>> = {
  csv: t('csv – text with delimiters'),
  tsv: t('tsv – text with tabs'),
  json: t('json – one document'),
  ndjson: t('ndjson – a record a line'),
  sql: t('sql – one table of a dump'),
  xlsx: t('xlsx – workbook'),
  vcard: t('vcard – address book'),
  dump: t('dump – several tables'),
};

const words: { readonly [F in InputSettingFlag]?: Readonly<Record<string, string>> } = {
  format: formats,
  delimiter: delimiters,
};

const encodings = [
  ...['utf-8', 'windows-1252', 'utf-16le', 'utf-16be', 'iso-8859-2', 'iso-8859-15', 'windows-1250'],
  ...[
    'windows-1251',
    'windows-1254',
    'ibm850',
    'ibm852',
    'macintosh',
    'koi8-r',
    'shift_jis',
    'euc-kr',
    'gb18030',
    'big5',
  ],
];

/** A detected setting of an input, with a control that overrides it. */
function InputSettingField({ flag, found, typed, isRead, choices, onTyped }: ControlProps) {
  // The header is in line 1 if the input could be read and nothing else was detected.
  const value = typed ?? (flag === 'header' && isRead && asTyped(found) === '' ? '1' : asTyped(found));
  const note =
    typed === undefined ? (
      value !== '' && t('Detected')
    ) : (
      <>
        {t('Set by you.')} <Button class="link" label={t('Detect it')} onClick={() => onTyped(undefined)} />
      </>
    );
  return (
    <LabelledControl label={settingLabels[flag]} note={note}>
      {(id, about) =>
        flag === 'header' ? (
          <HeaderLine {...{ id, about, value, onTyped }} />
        ) : (
          <select
            id={id}
            value={value}
            aria-describedby={about}
            onChange={(event) => onTyped(event.currentTarget.value || undefined)}
          >
            {optionsOf(flag, value, choices).map((option) => (
              <option key={option} value={option}>
                {formatSettingValue(flag, option)}
              </option>
            ))}
          </select>
        )
      }
    </LabelledControl>
  );
}

interface HeaderLineProps {
  readonly id: string;
  readonly about: string | undefined;
  readonly value: string;
  onTyped(value: string | undefined): void;
}

function HeaderLine({ id, about, value, onTyped }: HeaderLineProps) {
  const isNone = value === 'none';
  return (
    <span class="with-button">
      <input
        id={id}
        type="number"
        min={1}
        value={isNone ? '' : value}
        aria-describedby={about}
        onChange={({ currentTarget: { value: line } }) => onTyped(line === '' ? undefined : line)}
      />
      <Checkbox
        label={t('none')}
        checked={isNone}
        onChange={(checked) => onTyped(checked ? 'none' : undefined)}
      />
    </span>
  );
}

/** Formats a detected value as the flags of draft take it. */
function asTyped(found: unknown): string {
  if (found === '\t') return 'tab';
  if (found === false) return 'none';
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

/** Formats the value of a setting, as the flags of draft take it, for people. */
export function formatSettingValue(flag: InputSettingFlag, option: string): string {
  if (option === '') return t('detected automatically');
  return words[flag]?.[option] ?? showInvisibleCharacters(option);
}

function optionsOf(
  flag: InputSettingFlag,
  value: string,
  choices: readonly string[] | undefined,
): readonly string[] {
  const known = choices ?? (flag === 'delimiter' ? Object.keys(delimiters) : encodings);
  return known.includes(value) ? known : [value, ...known];
}

/** The settings of an input that the user has changed, as texts for the flags of draft. */
export type InputOverrides = { readonly [F in InputSettingFlag]?: string };

export type InputSettingFlag = 'format' | NonNullable<EffectiveOption['flag']>;

/** Returns the settings with one of them changed; undefined removes it, and a new format all the others. */
function withInputOverride(
  typed: InputOverrides,
  flag: InputSettingFlag,
  value: string | undefined,
): InputOverrides {
  const { [flag]: _before, ...others } = flag === 'format' ? {} : typed;
  return value === undefined ? others : { ...others, [flag]: value };
}
