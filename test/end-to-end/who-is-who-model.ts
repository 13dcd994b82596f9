/** A row of the input as the model sees it; an empty cell is absent. */
export interface Row {
  readonly line: number;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly City?: string;
  /** Mapped with `keep: first`. */
  readonly Source?: string;
}

/** A contact as far as the rows can touch it, and `Note`, which no row names. */
export interface Standing {
  readonly id: number | 'new';
  /** Greater is younger. */
  readonly since: number;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly City?: string;
  readonly Source?: string;
  readonly Note?: string;
}

export const choices = {
  onMatch: ['update', 'fill', 'skip', 'reject'],
  onConflict: ['review', 'merge', 'prefer-email', 'prefer-phone', 'reject'],
  duplicates: ['merge', 'first', 'last', 'reject'],
} as const;

export interface Policy {
  readonly onMatch: (typeof choices.onMatch)[number];
  readonly onConflict: (typeof choices.onConflict)[number];
  readonly duplicates: (typeof choices.duplicates)[number];
}

/** What became of a row; for a rejected one its code, too. */
export interface Fate {
  readonly outcome: string;
  readonly code?: string;
}

export interface Expected {
  readonly contacts: readonly Standing[];
  readonly fates: ReadonlyMap<number, Fate>;
  /** How many contacts were merged with another. */
  readonly merges: number;
  /** Lines of each group of rows that is one person. */
  readonly groups: readonly (readonly number[])[];
}

const fields = ['firstName', 'lastName', 'email', 'phone', 'City', 'Source'] as const;

type Values = { readonly [F in (typeof fields)[number]]?: string };

/** What the rules say must come of the rows, by nothing but the rules. */
export function expectedOf(policy: Policy, present: readonly Standing[], rows: readonly Row[]): Expected {
  const fates = new Map<number, Fate>();
  const workspace = new Workspace(present);
  const groups = groupsOf(rows);
  for (const group of groups) {
    const [only, ...others] = group;
    if (only !== undefined && others.length === 0) fates.set(only.line, workspace.apply(only, policy));
    else for (const [line, fate] of fatesOfGroup(group, policy, workspace)) fates.set(line, fate);
  }
  return {
    contacts: workspace.contacts,
    fates,
    merges: workspace.merges,
    groups: groups.map((group) => group.map(({ line }) => line)),
  };
}

/** Rows that share an e-mail or a phone, directly or through others, in file order. */
function groupsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  let groups: readonly (readonly Row[])[] = [];
  for (const row of rows) {
    const linked = groups.filter((group) => group.some((other) => share(row, other)));
    const rest = groups.filter((group) => !linked.includes(group));
    groups = [...rest, [...linked.flat(), row].sort((a, b) => a.line - b.line)];
  }
  return groups;
}

function share(a: Row, b: Row): boolean {
  return same(a.email, b.email) || same(a.phone, b.phone);
}

function same(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b;
}

function fatesOfGroup(group: readonly Row[], policy: Policy, workspace: Workspace): [number, Fate][] {
  const all = (fate: Fate): [number, Fate][] => group.map(({ line }) => [line, fate]);
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return [];
  switch (policy.duplicates) {
    case 'reject':
      return all({ outcome: 'rejected', code: 'identity.duplicate' });
    case 'first':
    case 'last': {
      const taken = policy.duplicates === 'first' ? first : last;
      const fate = workspace.apply(taken, policy);
      return group.map((row) => [row.line, row === taken ? fate : leftOut]);
    }
    case 'merge': {
      const fate = workspace.apply(folded(group), policy);
      // Only what went into a contact is folded; where nothing did, every row of the person shares its fate.
      if (!wentIn.has(fate.outcome)) return all(fate);
      return group.map((row) => [row.line, row === first ? fate : { outcome: 'folded' }]);
    }
  }
}

const wentIn = new Set(['created', 'updated', 'merged', 'unchanged']);

/** A row that `first` and `last` leave out. */
const leftOut: Fate = { outcome: 'skipped' };

/** A later cell that is not empty wins, except where the mapping says `keep: first`, and initials of a name that is there. */
function folded(group: readonly Row[]): Row {
  const later: Values = Object.assign({}, ...group.map(valuesOf));
  const Source = group.find((row) => row.Source !== undefined)?.Source;
  const firstName = group.findLast(
    ({ firstName: name }) => name !== undefined && !name.endsWith('.'),
  )?.firstName;
  return {
    ...{ line: group[0]?.line ?? 0, ...later },
    ...(Source !== undefined && { Source }),
    ...(firstName !== undefined && { firstName }),
  };
}

function valuesOf(of: Values): Values {
  return Object.fromEntries(fields.flatMap((field) => (of[field] === undefined ? [] : [[field, of[field]]])));
}

class Workspace {
  contacts: readonly Standing[];
  merges = 0;

  constructor(present: readonly Standing[]) {
    this.contacts = present;
  }

  apply(row: Row, policy: Policy): Fate {
    if (row.email === undefined && row.phone === undefined) return rejected('identity.missing');
    const byEmail = this.contacts.find(({ email }) => same(email, row.email));
    const byPhone = this.contacts.find(({ phone }) => same(phone, row.phone));
    const found = byEmail ?? byPhone;
    if (found === undefined) return this.#create(row);
    if (policy.onMatch === 'skip') return { outcome: 'skipped' };
    if (policy.onMatch === 'reject') return rejected('identity.exists');
    if (byEmail === undefined || byPhone === undefined || byEmail === byPhone) {
      return this.#write(found, row, policy);
    }
    return this.#conflict(byEmail, byPhone, row, policy);
  }

  #create(row: Row): Fate {
    this.contacts = [...this.contacts, { id: 'new', since: Number.POSITIVE_INFINITY, ...valuesOf(row) }];
    return { outcome: 'created' };
  }

  #write(contact: Standing, row: Values, { onMatch }: Policy): Fate {
    const before: Values = valuesOf(contact);
    const after = { ...contact, ...before, ...valuesOf(row), ...(onMatch === 'fill' && before) };
    this.contacts = this.contacts.map((other) => (other === contact ? after : other));
    const changed = fields.some((field) => after[field] !== contact[field]);
    return { outcome: changed ? 'updated' : 'unchanged' };
  }

  #conflict(byEmail: Standing, byPhone: Standing, row: Row, policy: Policy): Fate {
    const { email, phone, ...rest } = row;
    switch (policy.onConflict) {
      case 'review':
        return { outcome: 'proposed' };
      case 'reject':
        return rejected('identity.conflict');
      case 'prefer-email':
        return this.#write(byEmail, { ...rest, ...(email !== undefined && { email }) }, policy);
      case 'prefer-phone':
        return this.#write(byPhone, { ...rest, ...(phone !== undefined && { phone }) }, policy);
      case 'merge': {
        const [older, younger] = byEmail.since < byPhone.since ? [byEmail, byPhone] : [byPhone, byEmail];
        const joined = { ...younger, ...older };
        this.contacts = this.contacts.filter((other) => other !== younger);
        this.contacts = this.contacts.map((other) => (other === older ? joined : other));
        this.#write(joined, row, policy);
        this.merges += 1;
        return { outcome: 'merged' };
      }
    }
  }
}

function rejected(code: string): Fate {
  return { outcome: 'rejected', code };
}
