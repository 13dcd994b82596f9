/** The policy for looking contacts up (`policy.lookup` of a pipeline). */
export type LookupPolicy = 'auto' | 'single' | 'snapshot';

export interface LookupPlanInput {
  readonly policy: LookupPolicy;
  /** The number of rows, or groups of rows, that no earlier run has recorded. */
  readonly lookUps: number;
  /** The average number of e-mails and phones of a row, or group of rows, that no earlier run has recorded. */
  readonly identifiersPerRow: number;
  /** The number of contacts in the workspace when it was last counted; undefined if it was never counted. */
  readonly contacts: number | undefined;
  /** Requests a second on one path (specification: Limits). */
  readonly perSecond: number;
  /** Contacts on a page of the list. */
  readonly pageSize: number;
  readonly concurrency: number;
  /** The measured round-trip time of a read; undefined if not measured yet. */
  readonly readSeconds: number | undefined;
  /** True where nothing else creates contacts meanwhile, so that people missing from the list are not looked up. */
  readonly exclusive: boolean;
}

export interface LookupPlan {
  readonly strategy: 'single' | 'snapshot';
  /** The number of pages of the contact list above which a snapshot is given up; 0 for single reads. */
  readonly mostPages: number;
  /** The reason for the strategy, as a sentence for the terminal. */
  readonly why: string;
  /**
   * The estimated duration of each strategy, in seconds; undefined where the size of the workspace is not
   * known.
   */
  readonly seconds: { readonly single: number; readonly snapshot: number | undefined };
}

/** A snapshot of at most this duration is taken even if single reads are faster, because it finds duplicates. */
const shortSeconds = 20;

/** The assumed round-trip time of a read that was not measured yet. */
const usualReadSeconds = 0.25;

const blind = 'a single read sees only the first of several contacts under one identifier';

/**
 * Chooses between a read for every identifier and one reading of the whole contact list, by their estimated durations.
 */
export function planLookup(needs: LookupPlanInput): LookupPlan {
  const { policy, lookUps, identifiersPerRow, contacts, perSecond, pageSize, concurrency } = needs;
  const { readSeconds = usualReadSeconds } = needs;
  const reads = Math.ceil(lookUps * identifiersPerRow);
  const timeOf = (n: number) => (n / Math.max(1, concurrency)) * readSeconds;
  const single = timeOf(reads);
  const replaced = replacedReads(needs, reads);
  const pages = contacts === undefined ? undefined : Math.max(1, Math.ceil(contacts / pageSize));
  const seconds = { single, snapshot: pages === undefined ? undefined : pages / perSecond };
  const shortPages = Math.floor(shortSeconds * perSecond);

  const bySingle = (because: string): LookupPlan => {
    const why = `People are looked up by ${count(reads, 'single read')}, ${because}; ${blind}.`;
    return { strategy: 'single', mostPages: 0, why, seconds };
  };
  const bySnapshot = (mostPages: number, because: string): LookupPlan => {
    const size =
      pages === undefined ? '' : ` (about ${count(pages, 'page')}, ${duration(pages / perSecond)})`;
    const instead = `instead of ${count(replaced, 'single read')}`;
    const why = `The contact list is read once${size} ${instead}, ${because}; ${blind}, the list shows all.`;
    return { strategy: 'snapshot', mostPages, why, seconds };
  };

  if (lookUps === 0) {
    const why = `No look-ups are needed, so the contact list is not read; ${blind}.`;
    return { strategy: 'single', mostPages: 0, why, seconds };
  }
  if (policy === 'single') return bySingle('as set by "lookup: single"');
  if (policy === 'snapshot') return bySnapshot(Number.MAX_SAFE_INTEGER, 'as set by "lookup: snapshot"');
  if (pages === undefined) {
    const mostPages = Math.max(Math.min(shortPages, lookUps), Math.floor(timeOf(replaced) * perSecond));
    const because = `unless it is longer than ${count(mostPages, 'page')} (the number of contacts is not known yet)`;
    return bySnapshot(mostPages, because);
  }
  // The limit is the number of pages that are worth reading, not the counted number: the list may have grown since.
  const cheapPages = Math.floor(timeOf(replaced) * perSecond);
  const mostPages = Math.max(Math.min(shortPages, reads), cheapPages);
  if (pages <= cheapPages) return bySnapshot(mostPages, 'which is faster');
  if (pages <= mostPages) return bySnapshot(mostPages, 'which is short enough');
  const list = `the contact list has about ${count(pages, 'page')}`;
  return bySingle(
    pages > reads
      ? `because ${list}, which is more`
      : `because ${list}, which would take ${duration(pages / perSecond)}`,
  );
}

/**
 * Returns the number of single reads that a snapshot saves. People in the list need one read, not one per identifier;
 * people who are not in it need none if the run is exclusive, and all their reads otherwise.
 */
function replacedReads(
  { lookUps, identifiersPerRow, contacts = lookUps, exclusive }: LookupPlanInput,
  reads: number,
): number {
  const there = Math.min(lookUps, contacts);
  return exclusive ? reads - there : Math.ceil(there * Math.max(0, identifiersPerRow - 1));
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return count(Math.max(1, Math.round(seconds)), 'second');
  if (seconds < 90 * 60) return count(Math.round(seconds / 60), 'minute');
  return count(Math.round(seconds / 3600), 'hour');
}
