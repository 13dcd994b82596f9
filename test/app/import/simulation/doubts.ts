import type { JournalDatabase } from '../../../../src/journal/index.ts';
import type { TransportRequest } from '../../../../src/model/ports.ts';
import { isRecord } from './model-body.ts';

/** How long an acknowledgement may take to be durable: the journal gathers its writes. */
const gatheredMs = 250;

/** What a process can know of what it sent, as whoever sees the wire and the deaths knows it. */
export class Doubts {
  /** Comments that left and whose acknowledgement has not come, by the process that lives. */
  readonly #underWay = new Set<string>();
  /** Changes that a process knows to be there, and since when. */
  readonly #acknowledged = new Map<string, number>();
  /** Comments that nobody can be sure of. */
  readonly justified = new Set<string>();

  left(request: TransportRequest): void {
    const change = changeOf(request);
    if (change !== undefined && this.#acknowledged.has(change))
      throw new Error(`sent again though it was acknowledged: ${change}`);
    const text = commentOf(request);
    if (text === undefined) return;
    if (this.justified.has(text)) throw new Error(`sent again though it may be there: ${text}`);
    this.#underWay.add(text);
  }

  /** The process has heard that it is there, or that it surely is not. */
  heard(request: TransportRequest, status: number, now: number): void {
    const [change, text] = [changeOf(request), commentOf(request)];
    if (change !== undefined && status >= 200 && status < 300) this.#acknowledged.set(change, now);
    if (text !== undefined) this.#underWay.delete(text);
  }

  /** What the process hears leaves it in doubt. */
  lost(request: TransportRequest): void {
    const text = commentOf(request);
    if (text === undefined) return;
    this.#underWay.delete(text);
    this.justified.add(text);
  }

  /** Holds the journal of a process that was not killed against what was sent. */
  ended(file: JournalDatabase): void {
    for (const text of noted(file)) {
      if (!this.justified.has(text)) throw new Error(`in doubt for no reason: ${text}`);
    }
  }

  /** Holds the journal that a death leaves behind against what was sent. */
  died(file: JournalDatabase, now: number): void {
    // The next process cannot know what was not written down.
    for (const [change, since] of this.#acknowledged) {
      if (now - since <= gatheredMs) this.#acknowledged.delete(change);
    }
    const texts = noted(file);
    for (const text of [...this.#underWay, ...this.justified]) {
      if (!texts.has(text)) throw new Error(`left before its intent was durable: ${text}`);
    }
    const sure = [...this.#acknowledged.keys()];
    for (const text of texts) {
      const isSure = sure.some((change) => change.endsWith(JSON.stringify({ text })));
      if (isSure && !this.justified.has(text)) throw new Error(`acknowledged, not noted: ${text}`);
      this.justified.add(text);
    }
    this.#underWay.clear();
  }

  /** Another run may well want the same again. */
  nextRun(): void {
    this.#acknowledged.clear();
  }
}

/** The comments of which the journal says that they may be there. */
function noted(file: JournalDatabase): ReadonlySet<string> {
  const texts = file
    .prepare<[], string>(
      "SELECT intent ->> 'text' FROM step_json WHERE name = 'comment' AND state IN ('sent', 'uncertain')",
    )
    .pluck()
    .all();
  return new Set(texts);
}

function commentOf({ path, body }: TransportRequest): string | undefined {
  if (!path.endsWith('/comment')) return undefined;
  const sent: unknown = JSON.parse(body ?? 'null');
  return isRecord(sent) && typeof sent.text === 'string' ? sent.text : undefined;
}

/** A change of contacts, as the words that ask for it; tags and fields of the workspace are another matter. */
function changeOf({ method, path, body = '' }: TransportRequest): string | undefined {
  const isChange = method !== 'GET' && path !== '/contact/list' && !path.startsWith('/space/');
  return isChange ? `${method} ${path} ${body}` : undefined;
}
