import type { InputFacts, Source, SourceItem } from '../../model/row.ts';
import type { SourceInput } from '../source-format.ts';
import { Dump } from './dump.ts';
import type { SqlOptions } from './options.ts';
import { tableOf } from './table-set.ts';

/** One table of a plain-text SQL dump as a source; nothing is touched before `inspect` or `read`. */
export function sqlSource(options: SqlOptions, input: SourceInput): Source {
  return new SqlSource(options, input);
}

class SqlSource implements Source {
  readonly #dump: Dump;
  readonly #table: string | undefined;
  readonly #wanted: readonly string[] | null;

  constructor(options: SqlOptions, input: SourceInput) {
    this.#dump = new Dump(options, input, ['sql', options]);
    this.#table = options.table;
    this.#wanted = options.table === undefined ? null : [options.table];
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    const survey = await this.#dump.survey(this.#wanted, signal);
    const { file, fingerprint, notes, truncated } = survey;
    const { items, columns } = tableOf(survey, this.#table);
    return { name: file.name, bytes: file.bytes, fingerprint, items, columns, notes, truncated };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    const survey = await this.#dump.known(this.#wanted, signal);
    yield* this.#dump.items(survey, tableOf(survey, this.#table), from, signal);
  }
}
