import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { findRunById, listSessions, openJournalDatabase } from '../../../src/journal/index.ts';
import { FatalError } from '../../../src/model/fatal-error.ts';
import { sumWorkedSeconds, toSessionSpans } from '../../../src/report/sessions.ts';
import { atExport, daysAhead } from './exporting.ts';

const contacts = Array.from({ length: 10 }, (_, index) => ({
  id: index + 1,
  firstName: `P${index + 1}`,
  email: `p${index + 1}@example.com`,
}));
const settings = { contacts: { format: 'ndjson' } };
const interruption = () => new FatalError('interrupted', 'stopped by the test.', { signal: 'SIGTERM' });
const options = { settings, seed: { contacts } };

test('the second export of a day has a number, and latest leads to the newest', async () => {
  await atExport(options, async ({ export: exportAll, folders, path }) => {
    const first = await exportAll();
    expect(first.folder).toMatch(/^\d{4}-\d\d-\d\d$/);
    const second = await exportAll();
    expect(second.folder).toBe(`${first.folder}-2`);
    expect(folders()).toEqual([first.folder, second.folder, 'latest']);
    expect(readlinkSync(join(path, 'exports', 'latest'))).toBe(second.folder);
  });
});

test('keep removes the oldest complete exports of the pipeline, and nothing else', async () => {
  await atExport(
    { ...options, settings: { ...settings, keep: 2 } },
    async ({ export: exportAll, folders, path }) => {
      const at = (name: string) => join(path, 'exports', name);
      const first = await exportAll();
      mkdirSync(at('notes'));
      writeFileSync(at('notes/manifest.json'), '{"pipeline":"nightly"}');
      mkdirSync(at('other'));
      const manifest = readFileSync(at(`${first.folder}/manifest.json`), 'utf8');
      writeFileSync(at('other/manifest.json'), manifest.replace('"nightly"', '"weekly"'));
      const second = await exportAll({ clock: daysAhead(1) });
      const third = await exportAll({ clock: daysAhead(2) });
      expect(folders()).toEqual([second.folder, third.folder, 'latest', 'notes', 'other'].sort());
    },
  );
});

test('keep never removes the export just written, also after nights with a clock that was ahead', async () => {
  await atExport(
    { ...options, settings: { ...settings, keep: 2 } },
    async ({ export: exportAll, folders }) => {
      for (const days of [30, 31, 32]) await exportAll({ clock: daysAhead(days) });
      const first = await exportAll();
      expect(folders()).toContain(first.folder);
      const second = await exportAll({ clock: daysAhead(1) });
      expect(folders()).toEqual([first.folder, second.folder, 'latest']);
    },
  );
});

test('keep leaves what an increment follows, also where the clock was set back in between', async () => {
  const incremental = { contacts: { format: 'ndjson', incremental: true }, keep: 1 };
  await atExport({ ...options, settings: incremental }, async ({ export: exportAll, folders }) => {
    const ahead = [];
    for (const days of [30, 31]) ahead.push(await exportAll({ clock: daysAhead(days) }));
    const now = await exportAll();
    expect(folders()).toEqual([now.folder, ...ahead.map(({ folder }) => folder), 'latest']);
  });
});

test('a rehearsal takes neither latest nor a place under keep from the real workspace', async () => {
  await atExport({ ...options, settings: { ...settings, keep: 1 } }, async (scene) => {
    const latest = () => readlinkSync(join(scene.path, 'exports', 'latest'));
    const rehearsed = await scene.export({ target: 'sandbox' });
    expect(latest()).toBe(rehearsed.folder);
    const real = await scene.export({ clock: daysAhead(1) });
    expect(latest()).toBe(real.folder);
    const again = await scene.export({ target: 'sandbox', clock: daysAhead(2) });
    expect(latest()).toBe(real.folder);
    expect(again.manifest?.workspace).toBe('sandbox');
    expect(again.notes).toContain(
      'A rehearsal: `latest` still points to the newest export of the real workspace.',
    );
    expect(scene.folders()).toEqual([real.folder, again.folder, 'latest']);
  });
});

test('keep leaves what a kept increment follows, until a compaction makes it superfluous', async () => {
  const incremental = {
    contacts: { format: 'ndjson', incremental: true },
    messages: { format: 'ndjson', incremental: true },
    keep: 1,
  };
  await atExport({ ...options, settings: incremental }, async ({ export: exportAll, folders }) => {
    const first = await exportAll();
    const second = await exportAll();
    expect(folders()).toEqual([first.folder, second.folder, 'latest']);
    const compacted = await exportAll({ compact: true });
    expect(folders()).toEqual([compacted.folder, 'latest']);
    expect((await exportAll()).manifest?.follows).toEqual({ run: compacted.run, folder: compacted.folder });
  });
});

test('a guard keeps an export from appearing, and the next one looks again', async () => {
  const expectation = { contacts: { min: 1, dropMax: '20%' } };
  await atExport({ ...options, settings: { ...settings, expect: expectation } }, async (scene) => {
    const first = await scene.export();
    scene.setPipeline({ ...settings, expect: expectation, contacts: { format: 'ndjson', search: 'P1' } });
    const second = await scene.export();
    expect(second).toMatchObject({ exitCode: 4, folder: undefined });
    expect(second.message).toContain('2 contacts after 10 in the export before, at most 20% fewer allowed');
    expect(scene.folders()).toEqual([first.folder, 'latest']);
    const third = await scene.export();
    expect(third.run).not.toBe(second.run);
    expect(third.exitCode).toBe(4);
    const accepted = await scene.export({ accept: true });
    expect(accepted).toMatchObject({ exitCode: 0, folder: `${first.folder}-2` });
    // What was accepted is what the next one is compared with.
    expect((await scene.export()).exitCode).toBe(0);
  });
});

test('an export that was stopped goes on at its page, and its folder appears once', async () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ id: index + 1, firstName: `P${index + 1}` }));
  const stop = new AbortController();
  let pages = 0;
  const onRequest = ({ path }: { readonly path: string }) => {
    if (path === '/contact/list') pages += 1;
    if (pages === 3) stop.abort(interruption());
  };
  await atExport({ ...options, seed: { contacts: many }, onRequest }, async (scene) => {
    const stopped = await scene.export({ stop });
    expect(stopped).toMatchObject({ exitCode: 143, folder: undefined });
    expect(scene.folders()).toEqual([]);
    pages = 10;
    const { run, folder, manifest } = await scene.export();
    expect(run).toBe(stopped.run);
    expect(manifest?.counts).toEqual({ contacts: 500 });
    expect(scene.lines(folder, 'contacts.ndjson').map(({ id }) => id)).toEqual(many.map(({ id }) => id));
    // Six pages in all, of which the first two at least were on the disk.
    expect(pages - 10).toBeLessThanOrEqual(4);
  });
});

test('an unfinished export of another day, or of a pipeline that has changed, is started over', async () => {
  await atExport(options, async ({ export: exportAll, setPipeline }) => {
    const stop = new AbortController();
    const first = await exportAll({
      stop,
      listen: ({ kind }) => {
        if (kind === 'writing') stop.abort(interruption());
      },
    });
    expect(first.exitCode).toBe(143);
    const late = await exportAll({ clock: daysAhead(1) });
    expect(late.run).not.toBe(first.run);
    expect(late.notes.join(' ')).toContain('it started too long ago');
    setPipeline({ ...settings, timezone: 'Asia/Tokyo' });
    expect((await exportAll()).exitCode).toBe(0);
  });
});

test('an export that died between its rename and its last lines is complete, and its marks count', async () => {
  const incremental = { contacts: { format: 'ndjson', incremental: true }, keep: 5 };
  await atExport(
    { ...options, settings: incremental },
    async ({ export: exportAll, path, workDir, sandbox }) => {
      const first = await exportAll();
      // As a process that was killed leaves it: renamed, and nothing after that.
      const state = join(workDir, 'runs');
      const saved = new Map<string, string>();
      const second = await exportAll({
        listen: ({ kind }) => {
          if (kind !== 'published') return;
          for (const run of readdirSync(state)) saved.set(run, run);
          throw new Error('the process ends here');
        },
      });
      expect(second.folder).toBeUndefined();
      expect(saved.size).toBe(2);
      const third = await exportAll();
      expect(third.run).toBe(second.run);
      expect(third).toMatchObject({ exitCode: 0, folder: `${first.folder}-2` });
      expect(readlinkSync(join(path, 'exports', 'latest'))).toBe(third.folder);
      sandbox.add({ contacts: [{ id: 99, firstName: 'Late' }] });
      const fourth = await exportAll();
      expect(fourth.manifest).toMatchObject({ follows: { run: third.run }, counts: { changes: 1 } });
    },
  );
});

test('the time between a kill and the last lines is not counted as work', async () => {
  await atExport(options, async ({ export: exportAll, workDir }) => {
    const died = await exportAll({
      listen: ({ kind }) => {
        if (kind === 'published') throw new Error('the process ends here');
      },
    });
    await exportAll({ clock: daysAhead(1) });
    const file = openJournalDatabase(workDir);
    const run = findRunById(file, died.run);
    const seconds = run && sumWorkedSeconds(toSessionSpans(run, listSessions(file, run.number)));
    file.close();
    expect(run?.state).toBe('finished');
    expect(seconds).toBeLessThan(3_600);
  });
});

test('a folder called latest is left alone, and told of', async () => {
  await atExport(options, async ({ export: exportAll, path, folders }) => {
    mkdirSync(join(path, 'exports/latest/mine'), { recursive: true });
    const { exitCode, notes, folder } = await exportAll();
    expect(exitCode).toBe(0);
    expect(notes.join(' ')).toContain('`latest` could not be set');
    expect(folders()).toEqual([folder, 'latest']);
    expect(readdirSync(join(path, 'exports/latest'))).toEqual(['mine']);
  });
});

test('a run that is resumed by its name goes on, however old it is', async () => {
  await atExport(options, async ({ export: exportAll }) => {
    const stop = new AbortController();
    const first = await exportAll({
      stop,
      listen: ({ kind }) => {
        if (kind === 'writing') stop.abort(interruption());
      },
    });
    const late = await exportAll({ clock: daysAhead(3), resumed: true });
    expect(late).toMatchObject({ exitCode: 0, run: first.run });
  });
});

test('the journal says of a complete export what it holds and where it is', async () => {
  await atExport(options, async ({ export: exportAll, workDir, path }) => {
    const { folder } = await exportAll();
    const file = openJournalDatabase(workDir);
    const row = file.prepare('SELECT counts, folder, state FROM run').get();
    file.close();
    expect(row).toEqual({
      counts: '{"contacts":10}',
      folder: join(path, 'exports', folder ?? ''),
      state: 'finished',
    });
  });
});

test('an increment whose chain has lost a link cannot be put together', async () => {
  const incremental = { messages: { format: 'ndjson', incremental: true } };
  await atExport({ ...options, settings: incremental }, async ({ export: exportAll, path }) => {
    const first = await exportAll();
    await exportAll();
    renameSync(join(path, 'exports', first.folder ?? ''), join(path, 'elsewhere'));
    await expect(exportAll({ compact: true })).rejects.toThrow(
      'an export of the chain of increments is missing',
    );
    rmSync(join(path, 'elsewhere'), { recursive: true });
  });
});

test('an increment whose predecessor was moved away says so, and is not taken for it when its name is free again', async () => {
  const incremental = { messages: { format: 'ndjson', incremental: true } };
  await atExport({ ...options, settings: incremental }, async ({ export: exportAll, path }) => {
    const first = await exportAll();
    renameSync(join(path, 'exports', first.folder ?? ''), join(path, 'elsewhere'));
    const second = await exportAll();
    expect(second).toMatchObject({ folder: first.folder, manifest: { follows: { run: first.run } } });
    expect(second.notes).toContainEqual(
      `The export that this one follows is not in ${join(path, 'exports', first.folder ?? '')} any more: this one has only what is new since then. --full exports everything again.`,
    );
    await expect(exportAll({ compact: true })).rejects.toThrow(
      `an export of the chain of increments is missing: that of run ${first.run}.`,
    );
  });
});

test('increments are put together where the pipeline writes to another folder since', async () => {
  const incremental = { messages: { format: 'ndjson', incremental: true } };
  await atExport({ ...options, settings: incremental }, async ({ export: exportAll, setPipeline }) => {
    const first = await exportAll();
    setPipeline({ ...incremental, to: 'exports/later/{date}' });
    const second = await exportAll();
    const compacted = await exportAll({ compact: true });
    expect(second.notes).toEqual([]);
    expect(compacted.manifest?.compacted).toEqual([first.run, second.run]);
  });
});

test('a name that another export takes meanwhile is left to it', async () => {
  await atExport(options, async ({ export: exportAll, path, folders }) => {
    const taken = join(path, 'exports', new Date().toISOString().slice(0, 10));
    const { exitCode, folder, manifest } = await exportAll({
      // Its own name is chosen by then.
      listen: ({ kind }) => {
        if (kind === 'writing') queueMicrotask(() => mkdirSync(join(taken, 'theirs'), { recursive: true }));
      },
    });
    expect({ exitCode, folder, rows: manifest?.counts.contacts }).toEqual({
      exitCode: 0,
      folder: `${basename(taken)}-2`,
      rows: 10,
    });
    expect(folders()).toEqual([basename(taken), folder, 'latest']);
  });
});
