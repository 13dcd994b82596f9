/** A person of the shared suite; every text is filled but the note, which may be empty or hold characters and line ends. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly note: string;
}

/** How a format is written, so that the shared suite can make inputs of it: everything that is told of people is read back. */
export interface Builder {
  /** Of a file of the format, without the dot. */
  readonly extension: string;
  /** Options of the source without which these inputs cannot be read. */
  readonly options?: object;
  /** The columns under which a person's texts are found again. */
  readonly columns: Readonly<Record<keyof Person, string>>;
  /** An input with a record for each person, in order; text is UTF-8 without a mark and holds the persons' characters as they are. */
  build(people: Iterable<Person>): Buffer | Promise<Buffer>;
  /** The `line` that each of these records has in what `build` makes of them. */
  lines(people: readonly Person[]): readonly number[];
  /** The same records with no line end between them; null where a record always has lines of its own, or there are no lines. */
  readonly inOneLine: ((people: readonly Person[]) => Buffer) | null;
  /** An input whose middle record cannot be read, and the code it is rejected with; null where no record can be broken alone. */
  readonly broken: {
    build(before: Person, after: Person): Buffer | Promise<Buffer>;
    readonly code: string;
  } | null;
  /** Whether an input may be a folder. */
  readonly folders?: boolean;
  /** The open questions of the format's encoding: BOMs and UTF-16 are tried, and windows-1252 where it can be stated. */
  readonly encodings: readonly ('utf-8' | 'utf-16' | 'windows-1252')[];
  /** Lengths at which cutting an input off leaves a record or more incomplete; a third, two thirds and all but one byte unless said. */
  cuts?(whole: Buffer): readonly number[];
}
