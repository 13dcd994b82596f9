/** The figures that decide how contacts are read back. */
export interface ReadBackFigures {
  /** Contacts to read. */
  readonly contacts: number;
  /** The number of contacts in the workspace at the last count; undefined where it was not counted. */
  readonly inWorkspace: number | undefined;
  /** Requests a second on one path. */
  readonly perSecond: number;
  readonly concurrency: number;
}

/** The way in which contacts are read back. */
export interface ReadBackMethod {
  readonly way: 'list' | 'single';
  /** The number of pages after which the list is given up; 0 where it is not read. */
  readonly mostPages: number;
  /** A sentence for the screen and the page. */
  readonly why: string;
}

/** The largest page size that both of the interface's statements allow. */
export const listPage = 99;

/** The round-trip time of a read, for an estimate before anything was measured. */
const readSeconds = 0.25;

/** Chooses the cheaper way: one reading of the whole contact list, or a read for every contact. */
export function chooseReadBack({
  contacts,
  inWorkspace,
  perSecond,
  concurrency,
}: ReadBackFigures): ReadBackMethod {
  if (contacts === 0)
    return { way: 'single', mostPages: 0, why: 'No contact was written, so none was read.' };
  const single = Math.ceil(contacts / Math.max(1, concurrency)) * readSeconds;
  // A list that takes as long as single reads has fewer requests; one that takes longer is not read to its end.
  const mostPages = Math.max(1, Math.floor(single * perSecond));
  const reads = `${count(contacts)} single ${contacts === 1 ? 'read' : 'reads'} (about ${seconds(single)})`;
  if (inWorkspace === undefined) {
    const why = `The contact list is read, up to ${pagesText(mostPages)}, because nobody has counted the contacts yet and it may be faster than ${reads}.`;
    return { way: 'list', mostPages, why };
  }
  const pages = Math.max(1, Math.ceil(inWorkspace / listPage));
  const list = `${pagesText(pages)} (about ${seconds(pages / perSecond)})`;
  if (pages <= mostPages && pages <= contacts) {
    // As many pages more as it may have grown by since it was counted.
    const why = `The contact list is read once: ${list} instead of ${reads}.`;
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
