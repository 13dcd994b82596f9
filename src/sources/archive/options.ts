import { z } from 'zod';

const sizeShape = /^(\d+(?:\.\d+)?) ?(KB|MB|GB|TB)$/i;
const notASize = 'a size is a number with its unit: 500MB, 20GB or 1TB';
const units: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** What every format takes beside its own options, for inputs that are packed. */
export const packedOptions = z.object({
  member: z
    .string()
    .min(1)
    .optional()
    .describe('Which file of a zip or tar.gz is read. Left out: the only one that fits the format.'),
  maxUnpacked: z
    .string(notASize)
    .regex(sizeShape, notASize)
    .optional()
    .describe(
      'The most that a packed input may unpack to, for example 50GB. Left out: 20GB, and at most 250 times its packed size.',
    ),
});

/** A size with its unit in bytes. */
export function bytesOf(size: string): number {
  const [, amount, unit = ''] = sizeShape.exec(size) ?? [];
  return Math.round(Number(amount) * (units[unit.toUpperCase()] ?? 1));
}
