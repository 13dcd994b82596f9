import type { MatchIdentifierKind } from '../../identity/look-up.ts';
import {
  createKnownKeyStore,
  type JournalDatabase,
  type KnownKeyRecord,
  type KnownKeyScope,
} from '../../journal/index.ts';
import { type CommandFactory, hint } from '../../model/command.ts';
import type { Draft, MappingResult } from '../../model/draft.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Row, Source } from '../../model/row.ts';
import { formatRowPlace, normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';
import { hasMatchingValue, type ValueHashes } from './person/memory.ts';
import { toKnownKey } from './person/person.ts';

/** Up to this number, reused keys do not indicate another system: a CRM may reuse a few keys. */
const fewReused = 20;
/** Up to this share of the remembered keys, reused keys do not indicate another system, whatever their number. */
const shareReused = 0.03;

/**
 * Counts the rows whose key is remembered, by whether they have anything in common with the person last imported under
 * it.
 */
export class KeyReuseCounter {
  #known = 0;
  #agreeing = 0;
  #reused = 0;
  #example: (RowPlace & { readonly key: string }) | undefined;

  /** Counts a row. `applied` is what was last applied under its key; undefined where its key is not remembered. */
  see(row: RowPlace, draft: Draft, applied: ValueHashes | undefined): void {
    const { key } = draft;
    if (key === null || applied === undefined) return;
    this.#known += 1;
    const inCommon = hasMatchingValue(draft, applied);
    if (inCommon === true) this.#agreeing += 1;
    if (inCommon !== false) return;
    this.#reused += 1;
    this.#example ??= { ...normaliseRowPlace(row), key };
  }

  /**
   * Returns true if more rows agree with the person remembered under their key than have nothing in common with that
   * person, and `isAnotherSystem` is false.
   */
  isSameSystem(): boolean {
    return this.#agreeing > this.#reused && !this.isAnotherSystem();
  }

  /** Returns true if any row's key is remembered for another person. */
  hasStrangers(): boolean {
    return this.#reused > 0;
  }

  /** Returns true if so many keys are of other people that they must belong to another system. */
  isAnotherSystem(): boolean {
    return this.#reused > fewReused && this.#reused > this.#known * shareReused;
  }

  /** Throws a FatalError('guard') if the keys belong to another system than the remembered ones. */
  assertSystem(pipeline: string, memory: string, command: CommandFactory): void {
    if (!this.isAnotherSystem()) return;
    const [reused, known] = [this.#reused, this.#known].map((n) => n.toLocaleString('en-US'));
    const example = this.#example ?? { line: 0, key: '' };
    throw new FatalError(
      'guard',
      `${reused} of ${known} rows have the key of another person, for example ${formatRowPlace(example)} (key ${example.key}): no name, e-mail or phone is as it was. These keys seem to belong to another system than ${JSON.stringify(memory)}. Nothing was sent.`,
      {
        place: { file: pipeline, key: 'import.source.system' },
        next: hint`If they are of another CRM, name it in the pipeline: source: { system: NAME }, and type: ${command('import', pipeline)}
If they are of the same CRM, and all these people have changed: policy: { samePerson: identifier }`,
      },
    );
  }
}

/** Returns a function that finds what is remembered of a row in a scope; the answer for the last row is cached. */
export function createRememberedRowLookup(
  file: JournalDatabase,
  scope: KnownKeyScope,
  identify: readonly MatchIdentifierKind[],
) {
  const memory = createKnownKeyStore(file, scope, 0);
  let last: { readonly draft: Draft; readonly known: KnownKeyRecord | undefined } | undefined;
  return (draft: Draft): KnownKeyRecord | undefined => {
    if (last?.draft !== draft) {
      const key = toKnownKey(draft, identify);
      last = { draft, known: key === undefined ? undefined : memory.find(key) };
    }
    return last.known;
  };
}

/**
 * Reads the whole input and counts the remembered keys in the rows that the mapping accepts: those of the same person,
 * and those of another one.
 */
export async function countReusedKeys(
  source: Source,
  map: (row: Row) => MappingResult,
  known: (draft: Draft) => KnownKeyRecord | undefined,
  signal: AbortSignal,
): Promise<KeyReuseCounter> {
  const count = new KeyReuseCounter();
  for await (const batch of source.read(0, signal)) {
    for (const item of batch) {
      const mapped = item.kind === 'row' ? map(item) : undefined;
      if (mapped?.ok === true) count.see(item, mapped.draft, known(mapped.draft)?.applied);
    }
    signal.throwIfAborted();
  }
  return count;
}
