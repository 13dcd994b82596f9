/** The numbers by which the method of reading back is chosen. */
export interface ReadBackMethodInput {
  /** The number of contacts to read. */
  readonly contacts: number;
  /** The number of contacts in the workspace when they were last counted; undefined if they never were. */
  readonly inWorkspace: number | undefined;
  /** The limit of requests per second on one path. */
  readonly perSecond: number;
  readonly concurrency: number;
}

/** The method of reading contacts back: the whole contact list, or each contact by itself. */
export interface ReadBackMethod {
  readonly way: 'list' | 'single';
  /** The number of pages after which reading the list is abandoned; 0 for `single`. */
  readonly mostPages: number;
  /** The reason for the choice, in a sentence for the screen and the page. */
  readonly why: string;
}

/** The page size of the contact list: the largest that both limits in the interface's documentation allow. */
export const contactListPageSize = 99;

/** The assumed duration of one read (seconds). */
const readSeconds = 0.25;

/** Chooses the faster method: reading the whole contact list, or each contact by itself. */
export function chooseReadBackMethod({
  contacts,
  inWorkspace,
  perSecond,
  concurrency,
}: ReadBackMethodInput): ReadBackMethod {
  if (contacts === 0)
    return { way: 'single', mostPages: 0, why: 'No contact was written, so none was read.' };
  const single = Math.ceil(contacts / Math.max(1, concurrency)) * readSeconds;
  // The number of list pages that can be read in the time that single reads would take; a longer list is abandoned.
  const mostPages = Math.max(1, Math.floor(single * perSecond));
  const reads = `${count(contacts)} single ${contacts === 1 ? 'read' : 'reads'} (about ${seconds(single)})`;
  if (inWorkspace === undefined) {
    const why = `The contact list is read, up to ${pagesText(mostPages)}, because the contacts were never counted and it may be faster than ${reads}.`;
    return { way: 'list', mostPages, why };
  }
  const pages = Math.max(1, Math.ceil(inWorkspace / contactListPageSize));
  const list = `${pagesText(pages)} (about ${seconds(pages / perSecond)})`;
  if (pages <= mostPages && pages <= contacts) {
    const why = `The contact list is read once: ${list} instead of ${reads}.`;
    // At least twice the counted pages, because the list may have grown since the count.
    return { way: 'list', mostPages: Math.max(mostPages, pages * 2), why };
  }
  return {
    way: 'single',
    mostPages: 0,
    why: `Every contact is read by itself: ${reads} instead of ${list} of the contact list.`,
  };
}

function pagesText(pages: number): string {
  return `${count(pages)} ${pages === 1 ? 'page' : 'pages'}`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function seconds(number: number): string {
  const whole = Math.max(1, Math.round(number));
  if (whole < 90) return whole === 1 ? '1 second' : `${whole} seconds`;
  return `${Math.round(whole / 60)} minutes`;
}
