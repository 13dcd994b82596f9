/** The method and the path template that requests of one kind have in common. */
export interface Operation {
  readonly method: string;
  readonly template: string;
}

/** A map with one value per `<METHOD> <path template>`, which is created at its first look-up. */
export class OperationMap<T> {
  readonly #create: (key: string) => T;
  readonly #byKey = new Map<string, T>();
  // Every request looks up its value; a look-up by the endpoint object saves building the key.
  readonly #byEndpoint = new Map<Operation, T>();

  constructor(create: (key: string) => T) {
    this.#create = create;
  }

  of(endpoint: Operation): T {
    const known = this.#byEndpoint.get(endpoint);
    if (known !== undefined) return known;
    const key = `${endpoint.method} ${endpoint.template}`;
    const value = this.#byKey.get(key) ?? this.#create(key);
    this.#byKey.set(key, value);
    this.#byEndpoint.set(endpoint, value);
    return value;
  }

  /** Yields every key with its value. */
  entries(): IterableIterator<[key: string, value: T]> {
    return this.#byKey.entries();
  }
}
