import type { EffectiveOption } from '../../wire/inputs.ts';

/** The settings of an input that the user has changed, as texts for the flags of draft. */
export type InputOverrides = { readonly [F in InputSettingFlag]?: string };

export type InputSettingFlag = 'format' | NonNullable<EffectiveOption['flag']>;

/** Returns the settings with one of them changed; undefined removes it, and a new format all the others. */
export function withInputOverride(
  typed: InputOverrides,
  flag: InputSettingFlag,
  value: string | undefined,
): InputOverrides {
  const { [flag]: _before, ...others } = flag === 'format' ? {} : typed;
  return value === undefined ? others : { ...others, [flag]: value };
}
