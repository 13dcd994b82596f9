import type { DetectedSetting } from '../../wire/inputs.ts';

/** What somebody says of an input, as it is typed after the flags of draft. */
export type Typed = { readonly [F in Flag]?: string };

export type Flag = 'format' | NonNullable<DetectedSetting['flag']>;

/**
 * The same with another value; without the flag where it is undefined. What was said of one format is not meant for another.
 */
export function withTyped(typed: Typed, flag: Flag, value: string | undefined): Typed {
  const { [flag]: _before, ...others } = flag === 'format' ? {} : typed;
  return value === undefined ? others : { ...others, [flag]: value };
}
