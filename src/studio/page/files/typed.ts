import type { DetectedSetting } from '../../wire/inputs.ts';

/** The settings that the user sets for an input, as they are typed after the flags of draft. */
export type Typed = { readonly [F in Flag]?: string };

export type Flag = 'format' | NonNullable<DetectedSetting['flag']>;

/**
 * Returns the settings with a changed one, without it for undefined. A new format drops the others, which belong to the old one.
 */
export function withTyped(typed: Typed, flag: Flag, value: string | undefined): Typed {
  const { [flag]: _before, ...others } = flag === 'format' ? {} : typed;
  return value === undefined ? others : { ...others, [flag]: value };
}
