import { type TextFile, texts } from '../encoding/text-file.ts';
import type { Sample } from './detect-dialect.ts';

const sampleBytes = 256 * 1024;

/** The beginning of a file, from which its layout is read. */
export async function sampleOf(text: TextFile, signal: AbortSignal): Promise<Sample> {
  let sample = '';
  for await (const [piece] of texts(text, signal)) {
    if (piece === null) return { text: sample, whole: true };
    sample += piece;
    if (sample.length >= sampleBytes) break;
  }
  return { text: sample, whole: false };
}
