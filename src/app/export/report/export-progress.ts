import { toSingleLine } from '../../../model/escape-controls.ts';
import type { Clock } from '../../../model/ports.ts';
import { formatQuantity, formatRate } from '../../../report/figures.ts';
import type { ExportEvent, ExportListener } from '../../run/events.ts';
import { cutToWidth, type ProgressScreen, RecentRate } from '../../run/report/progress-display.ts';
import { formatEventSentence, StandstillTracker } from '../../run/report/wait-words.ts';

/** The time between two updates (ms), by mode of the screen. */
const paces = { bar: 200, plain: 10_000, none: Number.POSITIVE_INFINITY };
const rateWindow = 30_000;

/**
 * Shows the progress and the messages of an export: on a terminal one line that is redrawn, otherwise a line every ten
 * seconds.
 */
export function startExportProgress({
  screen,
  clock,
}: {
  readonly screen: ProgressScreen;
  readonly clock: Clock;
}): { readonly listen: ExportListener; stop(): void } {
  const contacts = new RecentRate(rateWindow);
  const messages = new RecentRate(rateWindow);
  const standstill = new StandstillTracker();
  let readBefore = 0;
  let shownAt = Number.NEGATIVE_INFINITY;
  let fetching = true;
  const show = (event: ExportEvent & { kind: 'fetched' }) => {
    const now = clock.now();
    if (event.contacts + event.messages > readBefore) standstill.take({ kind: 'row' });
    readBefore = event.contacts + event.messages;
    contacts.sample(now, event.contacts);
    messages.sample(now, event.messages);
    if (now - shownAt < paces[screen.mode]) return;
    shownAt = now;
    const text = line(
      event,
      contacts.perSecond(now, event.contacts),
      messages.perSecond(now, event.messages),
      standstill.text(now),
    );
    if (screen.mode === 'bar') screen.draw((columns) => [cutToWidth(text, columns)]);
    else screen.say(text);
  };
  return {
    listen(event) {
      standstill.take(event);
      if (event.kind === 'writing') {
        fetching = false;
        screen.clear();
      }
      if (event.kind !== 'fetched') screen.say(toSingleLine(sentence(event, clock.now())));
      else if (fetching) show(event);
    },
    stop: () => screen.clear(),
  };
}

function line(
  { contacts, read, messages }: ExportEvent & { kind: 'fetched' },
  contactRate: number | undefined,
  messageRate: number | undefined,
  standstill: string | undefined,
): string {
  const each = (n: number | undefined) =>
    n === undefined || standstill !== undefined ? '' : ` (${formatRate(n)}/s)`;
  const behind = read < contacts ? `, those of ${formatQuantity(contacts - read, 'contact')} to come` : '';
  const people = `${formatQuantity(contacts, 'contact')}${each(contactRate)}`;
  const why = standstill === undefined ? '' : `; ${standstill}`;
  return `${people}, ${formatQuantity(messages, 'message')}${each(messageRate)}${behind}${why}`;
}

function sentence(event: Exclude<ExportEvent, { kind: 'fetched' }>, now: number): string {
  switch (event.kind) {
    case 'begun':
      return `${event.continued ? 'Continuing run' : 'Run'} ${event.run}${event.full ? '' : ': what is new since the last export'}.`;
    case 'writing':
      return 'All data fetched; writing the files.';
    case 'published':
      return `Export ready: ${event.folder}`;
    case 'stopping':
      return `Stopping: ${event.reason}`;
    default:
      return formatEventSentence(event, now);
  }
}
