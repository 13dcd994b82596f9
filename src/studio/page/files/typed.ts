import type { DetectedOption } from '../../wire/inputs.ts';

/** The settings that the user sets for an input, as they are typed after the flags of draft. */
export type InputOverrides = { readonly [F in InputFlag]?: string };

export type InputFlag = 'format' | NonNullable<DetectedOption['flag']>;

/**
 * Returns the settings with a changed one, without it for undefined. A new format drops the others, which belong to the old one.
 */
export function withOverride(
  typed: InputOverrides,
  flag: InputFlag,
  value: string | undefined,
): InputOverrides {
  const { [flag]: _before, ...others } = flag === 'format' ? {} : typed;
  return value === undefined ? others : { ...others, [flag]: value };
}
