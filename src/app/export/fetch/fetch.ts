import { AccessDenied } from '../../../model/fatal-error.ts';
import type { LoadedExport } from '../../../pipeline/export-settings.ts';
import { mostAtOnce } from '../../../workspace/index.ts';
import type { MessageSync, ToRead } from '../staging/staging.ts';
import { fetchContacts, type Listing, Readers } from './contact-list.ts';
import { type MessageReading, readMessages } from './messages.ts';
import { fetchObjects } from './objects.ts';

/** Fetches what is missing: what belongs to the workspace, then the contacts and, beside them, their messages. */
export async function fetchAll(
  reading: MessageReading & Listing & { readonly abort: (error: unknown) => void },
  settings: LoadedExport,
  syncOf: (id: number) => MessageSync,
): Promise<void> {
  await fetchObjects(reading, settings);
  const reads = settings.messages !== undefined;
  const readers = new Readers(reading.staging);
  const list = fetchContacts(reading, settings, syncOf, () => readers.wake()).finally(() => readers.end());
  const denied: ToRead[] = [];
  const workers = reads ? startWorkers(reading, readers, settings, denied) : [];
  await failFast([list, ...workers], reading.abort);
  // By now the messages of others were let through, so that a 403 is about the contact; or those of nobody will be.
  for (const contact of denied) await readMessages(reading, contact);
}

/** Waits for all; the first that fails stops the others, and its error is the one that is thrown. */
async function failFast(work: readonly Promise<void>[], abort: (error: unknown) => void): Promise<void> {
  let failed: { readonly error: unknown } | undefined;
  const note = (error: unknown) => {
    failed ??= { error };
    abort(error);
  };
  await Promise.all(work.map((each) => each.catch(note)));
  if (failed !== undefined) throw failed.error;
}

function startWorkers(
  reading: MessageReading,
  readers: Readers,
  settings: LoadedExport,
  denied: ToRead[],
): Promise<void>[] {
  const work = async () => {
    for (;;) {
      const contact = await readers.next(reading.signal);
      if (contact === undefined) return;
      try {
        await readMessages(reading, contact);
      } catch (error) {
        if (!(error instanceof AccessDenied) || error.final) throw error;
        denied.push(contact);
      }
    }
  };
  return Array.from({ length: mostAtOnce(settings.limits.concurrency) }, work);
}
