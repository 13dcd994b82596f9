import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { FatalError } from '../../model/fatal-error.ts';
import { readRegularFile, specialKind } from '../../storage/regular-file.ts';

const mostBytes = 4 * 1024 * 1024;

/** SHA-256 of a file's bytes, hexadecimal. */
export function fingerprintOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The bytes as strict UTF-8 text, without a byte order mark; throws a FatalError (usage) for other bytes. */
export function decodeText(bytes: Uint8Array, file: string, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused(file, `The ${what} ${file} is not UTF-8 text; save it as UTF-8.`, cause);
  }
}

/** The bytes of a YAML file; throws a FatalError (usage) that says why where they cannot be had. */
export async function readYamlFile(file: string, what: string): Promise<Uint8Array> {
  try {
    const facts = await stat(file);
    const kind = specialKind(facts);
    if (kind !== undefined) throw refused(file, `${file} is ${kind}; the ${what} must be a YAML file.`);
    if (facts.size > mostBytes) {
      throw refused(file, `The ${what} ${file} has ${facts.size} bytes; at most ${mostBytes} are read.`);
    }
    return await readRegularFile(file, mostBytes);
  } catch (cause) {
    if (cause instanceof FatalError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw refused(file, `There is no ${what} at ${file}.`, cause);
    }
    throw refused(file, `The ${what} ${file} cannot be read (${String(code ?? cause)}).`, cause);
  }
}

export function refused(file: string, message: string, cause?: unknown): FatalError {
  return new FatalError('usage', message, { place: { file }, cause });
}
