import type { Randomness } from '../../../../src/model/ports.ts';
import type { SourceItem } from '../../../../src/model/row.ts';
import { rowOf } from '../input.ts';
import { fieldsOf } from './map-row.ts';
import { refusedName } from './model-body.ts';
import { type Plain, plain } from './plain.ts';

/** What an import is to do: who is there, and what the input says. */
export interface Scene {
  readonly there: readonly Plain[];
  readonly items: readonly SourceItem[];
}

type Cells = Readonly<Record<string, string>>;

/** A scene drawn from all kinds of people that an import meets; with `keyed` every row has a key of its own. */
export function drawScene(randomness: Randomness, size: number, keyed: boolean): Scene {
  const draw = new Drawing(randomness, keyed);
  while (draw.items.length < size) draw.somebody();
  return draw;
}

class Drawing implements Scene {
  readonly there: Plain[] = [];
  readonly items: SourceItem[] = [];
  /** How many e-mails and phones were drawn: no two are the same. */
  #drawn = 0;
  readonly #randomness: Randomness;
  readonly #keyed: boolean;

  constructor(randomness: Randomness, keyed: boolean) {
    this.#randomness = randomness;
    this.#keyed = keyed;
  }

  somebody(): void {
    this.#pick([
      () => this.#new(),
      () => this.#new(),
      () => this.#whoIsThere(),
      () => this.#whoIsThere(),
      () => this.#severalUnderOnePhone(),
      () => this.#conflict(),
      () => this.#conflict(),
      () => this.#refused(),
      () => this.#nobody(),
      () => this.#inSeveralRows(),
      () => this.#inSeveralRows(),
      () => this.#chain(),
      () => this.#oneOfTwoRows(),
      () => this.#switchboard(),
      () => this.#family(),
      () => this.#family(),
      () => this.#oneKey(),
      () => this.#twoWhoShareAll(),
    ])();
  }

  #new(): void {
    this.#row({ ...this.#values(), ...this.#identity(), ...this.#belongings() });
  }

  /** There already, as the row says or not. */
  #whoIsThere(): void {
    const who = this.#identity();
    const known = this.#values();
    const status = this.#pick(['open', 'open', 'closed', 'blocked'] as const);
    const conversation = this.#pick(
      status === 'open' ? ['open', 'closed', 'closed Migrated'] : ['open', 'closed'],
    );
    this.#plant({ ...known, ...who }, { status, ...this.#standing() });
    const said = this.#chance(0.5) ? known : this.#values();
    this.#row({ ...said, ...who, ...this.#belongings(), Conversation: conversation });
  }

  #severalUnderOnePhone(): void {
    const { phone } = this.#both();
    this.#plant({ ...this.#values(), phone });
    this.#plant({ ...this.#values(), phone });
    this.#row({ ...this.#values(), phone, ...this.#belongings() });
  }

  /** The e-mail is one contact, the phone another. */
  #conflict(): void {
    const { email, phone } = this.#both();
    const one = () => this.#plant({ ...this.#values(), email }, this.#standing());
    const other = () => this.#plant({ ...this.#values(), phone }, this.#standing());
    for (const plant of this.#chance(0.5) ? [one, other] : [other, one]) plant();
    this.#row({ ...this.#values(), email, phone, ...this.#belongings() });
  }

  #refused(): void {
    const who = this.#both();
    if (this.#chance(0.5)) this.#plant({ ...this.#values(), ...who });
    this.#row({ ...this.#values(), firstName: refusedName, ...who, ...this.#belongings() });
  }

  #nobody(): void {
    if (this.#chance(0.5)) {
      this.#row(this.#values());
      return;
    }
    const problem = { code: 'row.quote', column: null, reason: 'a stray quote' };
    this.items.push({ kind: 'broken', line: this.items.length + 2, problem, raw: 'a,"b' });
  }

  #inSeveralRows(): void {
    const who = this.#both();
    const some = () => this.#pick<Cells>([{ email: who.email }, who]);
    if (this.#chance(0.4)) this.#plant({ ...this.#values(), ...who }, this.#standing());
    this.#row({ ...this.#values(), ...some(), ...this.#belongings() });
    this.#row({ ...this.#values(), ...who, ...this.#belongings() });
    if (this.#chance(0.5)) this.#row({ ...this.#values(), ...some(), ...this.#belongings() });
  }

  /** The first and the second row share a phone, the second and the third an e-mail. */
  #chain(): void {
    const { email, phone } = this.#both();
    this.#row({ ...this.#values(), phone, ...this.#belongings() });
    this.#row({ ...this.#values(), phone, email, ...this.#belongings() });
    this.#row({ ...this.#values(), email, ...this.#belongings() });
  }

  /** Two rows that share nothing lead to one contact: nobody can see that in the input. */
  #oneOfTwoRows(): void {
    const { email, phone } = this.#both();
    const firstName = this.#pick(['Ada', 'Bob']);
    this.#plant({ firstName, email, phone });
    this.#row({ firstName, email, Score: '77', Tags: 'new', ...this.#comments() });
    const other = this.#chance(0.7) ? firstName : 'Cy';
    this.#row({ firstName: other, phone, Note: 'the other', Tags: 'seen', ...this.#comments() });
  }

  #switchboard(): void {
    const { phone } = this.#both();
    for (let n = 0; n < 4; n += 1) {
      const { email } = this.#both();
      this.#row({ ...this.#values(), email, phone });
    }
  }

  /** Each has an e-mail, and all of them one phone; the contact that has it may be one of theirs, or somebody else's. */
  #family(): void {
    const { phone } = this.#both();
    if (this.#chance(0.5))
      this.#plant({ ...this.#values(), phone, ...this.#maybe(0.5, { email: this.#both().email }) });
    const size = this.#pick([2, 2, 3]);
    for (let n = 0; n < size; n += 1) {
      const { email } = this.#both();
      const own = this.#pick<Cells>([{ email }, { email }, { email }, {}]);
      this.#row({ ...this.#values(), phone, ...own, ...this.#belongings() });
    }
  }

  /** Two rows of a file in which keys come twice; without a key nothing is equal, or the phone. */
  #oneKey(): void {
    const { phone } = this.#both();
    const isPhone = this.#chance(0.4);
    for (const key of Array<string>(2).fill(keyOf(this.items.length))) {
      const { email } = this.#both();
      const who = isPhone ? { phone } : { email };
      this.#row({ ...this.#values(), ...who, ...this.#belongings() }, key);
    }
  }

  /** The e-mail of the one and the phone of the other: who has both says neither alone. */
  #twoWhoShareAll(): void {
    const [{ email: office }, { phone }] = [{ email: `info@o${this.items.length}.test` }, this.#both()];
    const other = () => this.#both();
    this.#row({ firstName: 'Ada', email: office, phone: other().phone });
    this.#row({ firstName: 'Bob', email: other().email, phone });
    this.#row({ firstName: this.#pick(['Cy', 'Dee', 'Ada']), email: office, phone, ...this.#belongings() });
  }

  #values(): Cells & { readonly firstName: string } {
    return {
      firstName: this.#pick(this.#chance(0.6) ? spellings : names),
      ...this.#maybe(0.5, { lastName: this.#pick(['Lovelace', 'LOVELACE', 'Stone']) }),
      ...this.#maybe(0.5, { Score: this.#pick(['1', '42', '4.5']) }),
      ...this.#maybe(0.3, { VIP: this.#pick(['true', 'false']) }),
      ...this.#maybe(0.3, { Note: this.#pick(['hello', '42', 'true']) }),
      ...this.#maybe(0.3, { Born: this.#pick(['1960-02-03', '1988-07-09']) }),
    };
  }

  #belongings(): Cells {
    return {
      ...this.#maybe(0.4, { Stage: this.#pick(['Lead', 'Customer']) }),
      ...this.#maybe(0.4, { Owner: this.#pick(['1', '2']) }),
      ...this.#maybe(0.4, { Conversation: this.#pick(['open', 'closed', 'closed Migrated']) }),
      ...this.#maybe(0.4, { Tags: this.#pick(['new', 'new;vip', 'seen;VIP']) }),
      ...this.#comments(),
    };
  }

  /** Each text names its line, so that no two are the same; the story is sent in three parts. */
  #comments(): Cells {
    const line = this.items.length + 2;
    const story = Array.from({ length: 260 }, (_, n) => `l${line}w${n}`).join(' ');
    return {
      ...this.#maybe(0.4, { origin: `origin of line ${line}` }),
      ...this.#maybe(0.2, { story }),
      ...this.#maybe(0.3, { farewell: `farewell of line ${line}` }),
    };
  }

  /** What belongs to a contact who is there. */
  #standing(): Partial<Plain> {
    return {
      ...this.#maybe(0.4, { lifecycle: this.#pick(['Lead', 'Customer']) }),
      ...this.#maybe(0.4, { assignee: this.#pick([1, 2]) }),
      ...this.#maybe(0.4, { tags: ['vip'] }),
    };
  }

  #row(cells: Cells, key = keyOf(this.items.length)): void {
    this.items.push(rowOf(this.items.length + 2, this.#keyed ? { ...cells, Key: key } : cells));
  }

  #plant(cells: Cells, more: Partial<Plain> = {}): void {
    // The field VIP is not there before the import.
    const { VIP: _, ...known } = cells;
    this.there.push(plain(fieldsOf(Object.entries(known)), more));
  }

  #identity(): Cells {
    const who = this.#both();
    return this.#pick<Cells>([who, { email: who.email }, { phone: who.phone }]);
  }

  #both(): { readonly email: string; readonly phone: string } {
    this.#drawn += 1;
    const n = this.#drawn;
    return { email: `p${n}@example.test`, phone: `+6012345${String(n).padStart(4, '0')}` };
  }

  #maybe<T extends object>(share: number, more: T): T | undefined {
    return this.#chance(share) ? more : undefined;
  }

  #chance(share: number): boolean {
    return this.#randomness.next() < share;
  }

  #pick<T>(all: readonly [T, ...T[]]): T {
    return all[Math.floor(this.#randomness.next() * all.length)] ?? all[0];
  }
}

/** A key for each item, as long as all others. */
function keyOf(item: number): string {
  return `K${String(item).padStart(4, '0')}`;
}

/** Of one name, */
const spellings = ['Ada', 'ADA', 'A.', 'Áda'] as const;
/** and of others, one of them in another script, one no name at all. */
const names = ['Ada', 'Bob', 'Cy', 'Dee', 'Ада', 'Unknown'] as const;
