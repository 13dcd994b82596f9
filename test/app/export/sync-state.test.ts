import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseContact } from '../../../src/app/export/records/records.ts';
import { StagedExport } from '../../../src/app/export/staging/staging.ts';
import { SyncState } from '../../../src/app/export/sync-state/sync-state.ts';
import { writeSyncState } from '../../../src/app/export/sync-state/write-sync-state.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test.each(['gone', 'unreadable'] as const)(
  'of a contact that was %s between two pages nothing is known beyond what was: there may be gaps',
  (reading) => {
    const folder = temporaryFolder();
    try {
      const staging = StagedExport.create(join(folder.path, 'staging.db'));
      const page = [1, 2].map((id) => ({ value: parseContact({ id }), given: { id } }));
      const syncOf = () => ({ known: 40, floor: 40 });
      staging.addContacts(page, { next: null, syncOf, reads: true });
      const [broken, whole] = staging.toRead(0, 2);
      if (broken === undefined || whole === undefined) throw new Error('two contacts were to be read');
      const newest = (id: number) => [{ id, at: null, updated: false, given: '{}' }];
      staging.addMessages(broken, newest(100), '60');
      staging.endReading(broken, reading, 'in the middle');
      staging.addMessages(whole, newest(101), null);
      const marks = join(folder.path, 'marks');
      writeSyncState({ staging, before: undefined, folder: marks, run: 'a', refreshFrom: undefined });
      staging.close();
      const written = SyncState.open(marks, 'a');
      expect([1, 2].map((id) => written?.messageSync(id, undefined).known)).toEqual([40, 101]);
      written?.close();
    } finally {
      folder.remove();
    }
  },
);
