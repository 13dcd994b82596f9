import type { JournalFile } from '../../../../src/journal/index.ts';
import type { TransportRequest } from '../../../../src/model/ports.ts';
import { isRecord } from './model-body.ts';

/** How long an acknowledgement may take to be durable: the journal gathers its writes. */
const gatheredMs = 250;

/** Of which comments a process cannot know whether they are there, as whoever sees the wire and the deaths knows it. */
export class Doubts {
  /** Texts that left and whose acknowledgement has not come, by the process that lives. */
  readonly #underWay = new Set<string>();
  readonly #acknowledged = new Map<string, number>();
  /** Texts that nobody can be sure of. */
  readonly justified = new Set<string>();

  left(request: TransportRequest): void {
    const text = commentOf(request);
    if (text === undefined) return;
    if (this.#acknowledged.has(text)) throw new Error(`sent again though it was acknowledged: ${text}`);
    if (this.justified.has(text)) throw new Error(`sent again though it may be there: ${text}`);
    this.#underWay.add(text);
  }

  /** The process has heard that it is there, or that it surely is not. */
  heard(request: TransportRequest, status: number, now: number): void {
    const text = commentOf(request);
    if (text === undefined) return;
    this.#underWay.delete(text);
    if (status >= 200 && status < 300) this.#acknowledged.set(text, now);
  }

  /** What the process hears leaves it in doubt. */
  lost(request: TransportRequest): void {
    const text = commentOf(request);
    if (text === undefined) return;
    this.#underWay.delete(text);
    this.justified.add(text);
  }

  /** Holds the journal of a process that was not killed against what was sent. */
  ended(file: JournalFile): void {
    for (const text of noted(file)) {
      if (!this.justified.has(text)) throw new Error(`in doubt for no reason: ${text}`);
    }
  }

  /** Holds the journal that a death leaves behind against what was sent. */
  died(file: JournalFile, now: number): void {
    const texts = noted(file);
    for (const text of [...this.#underWay, ...this.justified]) {
      if (!texts.has(text)) throw new Error(`left before its intent was durable: ${text}`);
    }
    for (const text of texts) {
      const since = this.#acknowledged.get(text);
      const isNoted = since !== undefined && now - since > gatheredMs;
      if (isNoted && !this.justified.has(text)) throw new Error(`acknowledged, not noted: ${text}`);
      this.justified.add(text);
    }
    this.#underWay.clear();
  }
}

/** The comments of which the journal says that they may be there. */
function noted(file: JournalFile): ReadonlySet<string> {
  const texts = file
    .prepare<[], string>(
      "SELECT intent ->> 'text' FROM step WHERE name = 'comment' AND state IN ('sent', 'uncertain')",
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
