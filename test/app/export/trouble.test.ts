import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureWritableFolder } from '../../../src/app/export/folder/make-folder.ts';
import { fillTemporaryFolder } from '../../../src/app/export/folder/publish.ts';
import { openJournalDatabase } from '../../../src/journal/index.ts';
import { hint, toCommand } from '../../../src/model/command.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { atExport } from './exporting.ts';

const contacts = [{ id: 1, firstName: 'P1', email: 'p1@example.com' }];
const ndjson = { contacts: { format: 'ndjson' } };
const again = 'npx longshore export nightly.yaml';

async function inFolder(play: (path: string) => Promise<void> | void): Promise<void> {
  const folder = temporaryFolder();
  try {
    await play(folder.path);
  } finally {
    folder.remove();
  }
}

test('a place that cannot be written is refused before the first request', async () => {
  await atExport({ settings: ndjson, seed: { contacts } }, async (scene) => {
    scene.setPipeline({ ...ndjson, to: 'pipeline.yaml/{date}' });
    await expect(scene.export()).rejects.toMatchObject({
      reason: 'usage',
      message: 'the export cannot be written there: it, or a folder above it, is a file.',
      place: { file: join(scene.path, 'pipeline.yaml') },
      next: expect.arrayContaining([toCommand('export', expect.stringMatching(/pipeline\.yaml$/))]),
    });
    expect(scene.requests()).toEqual([]);
  });
});

test.runIf(existsSync('/proc/self'))('a file system that makes no folders is no endless try', () => {
  expect(() => ensureWritableFolder('/proc/longshore/exports', again)).toThrow(
    'the export cannot be written there',
  );
});

test('looking whether a place can be written leaves nothing behind', async () => {
  await inFolder((path) => {
    const folder = join(path, 'a', 'b');
    ensureWritableFolder(folder, again);
    ensureWritableFolder(folder, again);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a folder that is being filled', () => {
  test('goes where the disk is full, and the error says where and what to type', async () => {
    await inFolder(async (path) => {
      const part = join(path, '.2026-11-21.run.part');
      const filling = fillTemporaryFolder(part, again, () => {
        writeFileSync(join(part, 'contacts.csv'), 'half');
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      });
      await expect(filling).rejects.toMatchObject({
        reason: 'unexpected',
        message: 'the disk of the exports is full.',
        place: { file: path },
        next: hint`Free some space there; what was fetched is kept. Then: ${again}`,
      });
      expect(existsSync(part)).toBe(false);
    });
  });

  test('begins empty, whatever an earlier try left', async () => {
    await inFolder(async (path) => {
      const part = join(path, 'part');
      mkdirSync(part);
      writeFileSync(join(part, 'left.csv'), '');
      expect(await fillTemporaryFolder(part, again, async () => existsSync(join(part, 'left.csv')))).toBe(
        false,
      );
    });
  });
});

test('a column of a custom field that was renamed stops the export before contacts are read', async () => {
  const columns = { id: 'id', Company: 'customFields.Firma' };
  const seed = { contacts, customFields: [{ name: 'Firm', dataType: 'text' as const }] };
  await atExport({ settings: { contacts: { format: 'csv', columns } }, seed }, async (scene) => {
    await expect(scene.export()).rejects.toMatchObject({
      reason: 'usage',
      message: 'the workspace has no custom field "Firma"; did you mean "Firm"?',
      place: { key: 'export.contacts.columns.Company' },
    });
    expect(scene.requests()).not.toContain('POST /v1/contact/list');
    expect(scene.folders()).toEqual([]);
  });
});

test('a filter that the workspace does not take stops with what to look at, and a token that may not list with 5', async () => {
  const gone = { contacts: { format: 'ndjson', filter: { 'customFields.Plan': { isEqualTo: 'gold' } } } };
  await atExport({ settings: gone, seed: { contacts } }, async (scene) => {
    const { exitCode, message } = await scene.export();
    expect({ exitCode, message }).toEqual({
      exitCode: 2,
      message: expect.stringMatching(
        /^the workspace refuses the filter or the search term of the contacts \(400 /,
      ),
    });
  });
  await atExport({ settings: ndjson, seed: { contacts }, forbidden: ['/contact/list'] }, async (scene) => {
    const { exitCode, message } = await scene.export();
    expect({ exitCode, message }).toEqual({
      exitCode: 5,
      message: expect.stringMatching(/^403: the token lacks permission for POST \/contact\/list /),
    });
  });
});

test('a journal that cannot be written at the end does not hide what stopped the export', async () => {
  await atExport({ settings: ndjson, seed: { contacts } }, async (scene) => {
    const fillDisk = () => {
      const file = openJournalDatabase(scene.workDir);
      file.exec(
        "CREATE TRIGGER full BEFORE UPDATE OF state ON run BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
      );
      file.close();
    };
    const stop = new AbortController();
    const exporting = scene.export({
      stop,
      listen: ({ kind }) => {
        if (kind !== 'writing') return;
        fillDisk();
        stop.abort(new FatalError('unexpected', 'there is no room.', { next: 'Make room.' }));
      },
    });
    await expect(exporting).rejects.toMatchObject({ message: 'there is no room.', next: 'Make room.' });
  });
});
