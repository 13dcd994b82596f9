import * as z from 'zod';

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

const durationShape = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const notADuration = 'a duration is a number with its unit: 500ms, 30s, 2m, 3h or 7d';

/** A duration: `2m`, `15m` or `500ms` in the YAML, a number of ms in the output. */
export const durationSchema = z
  .string(notADuration)
  .regex(durationShape, notADuration)
  .transform((text) => {
    const [, amount, unit = 'ms'] = durationShape.exec(text) ?? [];
    return Math.round(Number(amount) * (milliseconds[unit] ?? 1));
  });

const rateShape = /^([1-9]\d*)\/s$/;
const notARate = 'a rate is a whole number per second: 5/s';
const mostPerSecond = 5;

/** A rate: `5/s` in the YAML, requests per second in the output. */
export const rateSchema = z
  .string(notARate)
  .regex(rateShape, notARate)
  .transform((text) => Number(rateShape.exec(text)?.[1]))
  .refine((perSecond) => perSecond <= mostPerSecond, {
    error: `the workspace allows ${mostPerSecond} requests per second for a method and path`,
  });

const percentShape = /^(\d+(?:\.\d+)?)%$/;
const notABudget = 'a percentage from 0% to 100% (5%) or a whole number of rows is expected here';
const whole = 100;

/**
 * An error budget or another limit: `5%` or a number in the YAML, `{ share }` (0 to 1) or `{ rows }` in the
 * output.
 */
export const shareOrCountSchema = z
  .union([
    z.int(notABudget).min(0),
    z
      .string()
      .regex(percentShape, notABudget)
      .refine((text) => percentOf(text) <= whole, notABudget),
  ])
  .transform((given): { readonly share: number } | { readonly rows: number } => {
    return typeof given === 'number' ? { rows: given } : { share: percentOf(given) / whole };
  });

function percentOf(text: string): number {
  return Number(percentShape.exec(text)?.[1]);
}
