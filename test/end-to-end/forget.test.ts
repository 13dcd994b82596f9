import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { forgetPersonInWorkDir } from '../../src/app/forget/forget.ts';
import { listWorkFiles } from '../../src/app/forget/work-files.ts';
import {
  createIdentifierRedactor,
  openJournalDatabase,
  parsePersonQuery,
  takeLock,
} from '../../src/journal/index.ts';
import { forgetContacts, startSandbox } from '../../src/sandbox/index.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { usualInvocation } from '../invocation.ts';
import { some } from '../long.ts';
import { main, run } from './command.ts';
import {
  everything,
  fillWorkDir,
  forgetSite,
  forgottenBytes,
  forgottenRow,
  longshore,
  others,
  placesOf,
  workOf,
} from './forgotten-person.ts';
import { ProcessKiller } from './process-killer.ts';
import { atScene, readCsv } from './scene.ts';
import { wholeMapping, wholeSeed } from './whole-person.ts';

it('leaves no byte of a person in the work dir, counts add up, and the next import does nothing about them', async () => {
  await atScene(forgetSite, async (scene) => {
    const first = await scene.import();
    const before = first.rows;
    expect(placesOf(workOf(scene)).length).toBeGreaterThan(5);
    const ended = await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(placesOf(workOf(scene))).toEqual([]);
    expect(placesOf(workOf(scene), ['person1@example.com'])).not.toEqual([]);
    const status = await longshore(scene, 'status', first.run, '--json');
    expect(JSON.parse(status.stdout).rows).toEqual(before);
    scene.sandbox.resetLog();
    const second = await scene.import();
    expect(second.rows).toMatchObject({ unchanged: 3, skipped: 2 });
    expect(scene.writes()).toEqual([]);
    expect(placesOf(workOf(scene), forgottenBytes)).toEqual([]);
  });
});

/** `runs/…/contacts.csv: Zq-17` as `runs/contacts.csv`. */
function kindOf(place: string): string {
  return place
    .replace(/: .*/, '')
    .replace(/\/.*\//, '/')
    .replace(/\/\d[^.]*\./, '/');
}

it('takes a person out of every kind of file that runs write', async () => {
  await atScene(everything, async (scene) => {
    await fillWorkDir(scene);
    const kinds = placesOf(workOf(scene)).map((place) => kindOf(place));
    expect([...new Set(kinds)].sort()).toEqual([
      'journal.db',
      'runs/contact-tags.csv',
      'runs/contacts.csv',
      'runs/dropped.csv',
      'runs/gone.csv',
      'runs/rejects.csv',
      'runs/report.html',
      'runs/summary.json',
      'runs/uncertain.csv',
      'runs/verification-all.csv',
      'runs/verification.csv',
      'sandbox.db',
      'spool/plan.db',
    ]);
    expect(await longshore(scene, 'forget', 'Zenobia.Quist@example.com', '--yes')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(placesOf(workOf(scene))).toEqual([]);
    expect(placesOf(workOf(scene), ['person2@example.com'])).not.toEqual([]);
    expect(listWorkFiles(workOf(scene)).filter(({ kind }) => kind === undefined)).toEqual([]);
    const at = ['--workspace', scene.sandbox.baseUrl] as const;
    const pipeline = join(scene.path, 'pipeline.yaml');
    writeFileSync(pipeline, readFileSync(pipeline, 'utf8').replace('"maxErrors":1}', '"maxErrors":100}'));
    scene.sandbox.resetLog();
    for (const [args, code] of [
      [['status'], 0],
      [['runs'], 0],
      [['verify', '--all', ...at], 3],
      [['resume', ...at], 3],
      [['retry', ...at], 3],
    ] as const) {
      expect(await longshore(scene, ...args), args.join(' ')).toMatchObject({ code });
    }
    expect(placesOf(workOf(scene))).toEqual([]);
    expect(scene.writes()).toEqual([]);
  });
});

it.each(some(['zenobia.quist@EXAMPLE.com', '+1 201 555 0177', 'Zq-17', 'key:Zq-17', 'id:90'], 2))(
  'finds the same person by %s',
  async (named) => {
    const settings = { ...forgetSite.settings, policy: { maxErrors: 100, onMatch: 'update' } };
    const rows = [...others, forgottenRow];
    await atScene({ ...forgetSite, settings, rows, seed: everything.seed }, async (scene) => {
      await scene.import();
      const ended = await longshore(scene, 'forget', named, '--yes', '--json');
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(ended.stdout)).toMatchObject({
        known: 'known',
        counts: { rows: 1, memories: 1 },
        left: [],
      });
      expect(placesOf(workOf(scene))).toEqual([]);
      scene.sandbox.resetLog();
      expect((await scene.import()).rows).toMatchObject({ unchanged: 3, skipped: 1 });
      expect(scene.writes()).toEqual([]);
    });
  },
);

it('creates them again where the policy says so, without a comment twice', async () => {
  const rows = [...others, forgottenRow];
  await atScene({ ...forgetSite, rows, seed: everything.seed }, async (scene) => {
    await scene.import();
    await longshore(scene, 'forget', 'Zq-17', '--yes');
    const pipeline = join(scene.path, 'pipeline.yaml');
    writeFileSync(
      pipeline,
      readFileSync(pipeline, 'utf8').replace('"policy":{', '"policy":{"onDeleted":"recreate",'),
    );
    scene.sandbox.resetLog();
    expect((await scene.import()).rows).toMatchObject({ unchanged: 3, updated: 1, skipped: 0 });
    expect(scene.writes().filter((write) => write.includes('comment'))).toEqual([]);
  });
});

it('removes a proposal to merge a contact of theirs, and the row that led to it', async () => {
  const both = { ...forgottenRow, Phone: '+12015550178' };
  const seed = {
    ...wholeSeed,
    contacts: [...everything.seed.contacts, { id: 91, firstName: 'Zenobia', phone: '+12015550178' }],
  };
  await atScene({ ...forgetSite, rows: [...others, both], seed }, async (scene) => {
    const first = await scene.import();
    expect(first.rows).toMatchObject({ created: 3, proposed: 1 });
    expect(first.csv('merge-proposals.csv')).toHaveLength(1);
    const ended = await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes', '--json');
    expect(JSON.parse(ended.stdout)).toMatchObject({ counts: { proposals: 1 } });
    expect(placesOf(workOf(scene), [...forgottenBytes, '12015550178'])).toEqual([]);
    expect(first.csv('merge-proposals.csv')).toBeUndefined();
  });
});

it('says what it would do, and does nothing, without a person to ask; nobody is an error', async () => {
  await atScene({ ...forgetSite, rows: others }, async (scene) => {
    await scene.import();
    const places = placesOf(workOf(scene), ['person1@example.com']);
    expect(await longshore(scene, 'forget', 'person1@example.com')).toMatchObject({ code: 2 });
    const dry = await longshore(scene, 'forget', 'person1@example.com', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stderr: '' });
    expect(dry.stdout).toContain('The work dir has of this person: 1 row of 1 run, ');
    expect(dry.stdout).not.toContain('person1@example.com');
    expect(placesOf(workOf(scene), ['person1@example.com'])).toEqual(places);
    const nobody = await longshore(scene, 'forget', 'H99', '--yes');
    expect(nobody).toMatchObject({ code: 2 });
    expect(nobody.stderr).toContain('No person H99 found in ');
    expect(nobody.stderr).not.toContain('country code');
    const national = await longshore(scene, 'forget', '8-800-555-35-35', '--yes');
    expect(national).toMatchObject({ code: 2 });
    expect(national.stderr).toContain(
      'A phone number is found only with + and its country code, such as "+49 151 23456789".',
    );
    // An address that nobody knows yet is kept out, too.
    scene.writeRows([...others, forgottenRow]);
    expect(await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes')).toMatchObject({ code: 0 });
    expect((await scene.import()).rows).toMatchObject({ skipped: 1, created: 0 });
    expect(placesOf(workOf(scene))).toEqual([]);
  });
});

it('takes them out of what an export remembers, and lists the exports and inputs that still have them', async () => {
  const messages = [{ contactId: 90, message: { type: 'text', text: 'Zenobia asks about the harpsichord' } }];
  await atScene({ ...everything, seed: { ...everything.seed, messages } }, async (scene) => {
    await scene.import();
    const pipeline = join(scene.path, 'nightly.yaml');
    const nightly = (folder: string) => {
      const incremental = { format: 'ndjson', incremental: true };
      const settings = { to: `${scene.path}/${folder}`, contacts: incremental, messages: incremental };
      writeFileSync(pipeline, JSON.stringify({ pipeline: 'nightly', export: settings }));
      return longshore(scene, 'export', pipeline, '--workspace', scene.sandbox.baseUrl, '--json');
    };
    expect(await nightly('first')).toMatchObject({ code: 0 });
    expect(placesOf(join(workOf(scene), 'exports'))).not.toEqual([]);
    const ended = await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(`${scene.path}/first: has the person\n`);
    expect(ended.stdout).toContain(`${scene.path}/people.csv: the person was read from it`);
    expect(placesOf(workOf(scene))).toEqual([]);
    const second = await nightly('second');
    expect(second).toMatchObject({ code: 0 });
    // The workspace still has the contact: it is exported as it is there, and its message is not exported twice.
    expect(JSON.parse(second.stdout).counts).toMatchObject({ contacts: 4, changes: 1, messages: 0 });
  });
});

it('does not create a contact again that was deleted in the workspace, unless the policy says so', async () => {
  const settings = { policy: { maxErrors: 100 }, limits: { settle: '1s' } };
  await atScene({ ...forgetSite, settings, rows: [...others, forgottenRow] }, async (scene) => {
    const pipeline = join(scene.path, 'pipeline.yaml');
    const local = () => longshore(scene, 'import', pipeline, '--workspace', 'sandbox', '--json');
    const rowsOf = ({ stdout }: Awaited<ReturnType<typeof local>>) => JSON.parse(stdout).rows;
    writeFileSync(
      join(scene.path, 'mapping.yaml'),
      'mapping: plain\nkey: ID\ncontact: { firstName: { from: First }, email: { from: Email } }\n',
    );
    expect(rowsOf(await local())).toMatchObject({ created: 4 });
    const removed = { ids: () => [], emails: ['zenobia.quist@example.com'], phones: [] };
    // The id is learnt with the second import, as always.
    scene.writeRows([...others, { ...forgottenRow, First: 'Zenobia B' }]);
    expect(rowsOf(await local())).toMatchObject({ updated: 1, unchanged: 3 });
    expect(forgetContacts(join(workOf(scene), 'sandbox.db'), removed)).toBe(1);
    scene.writeRows([...others, { ...forgottenRow, First: 'Zenobia C' }]);
    const skipped = await local();
    expect(skipped).toMatchObject({ code: 0 });
    expect(rowsOf(skipped)).toMatchObject({ skipped: 1, unchanged: 3, created: 0 });
    const [dropped] = readCsv(JSON.parse(skipped.stdout).files.dropped);
    expect(dropped).toMatchObject({ _key: 'Zq-17', _code: 'contact.deleted' });
    writeFileSync(
      pipeline,
      readFileSync(pipeline, 'utf8').replace('"policy":{', '"policy":{"onDeleted":"recreate",'),
    );
    expect(rowsOf(await local())).toMatchObject({ created: 1, unchanged: 3 });
  });
});

it('where the disk is full in the middle it names the exports and inputs, which it may not find again', async () => {
  await atScene(forgetSite, async (scene) => {
    await scene.import();
    // A file may grow to 64 KiB and no further.
    const limited = ['-c', 'ulimit -f 64; exec "$0" "$@"', process.execPath, main];
    const person = ['forget', 'zenobia.quist@example.com', '--yes', '--work-dir', workOf(scene)];
    const failed = promisify(execFile)('bash', [...limited, ...person]);
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('people.csv: the person was read from it'),
    });
  });
});

it('is refused while a run holds the lock', async () => {
  await atScene({ ...forgetSite, rows: others }, async (scene) => {
    await scene.import();
    const journal = openJournalDatabase(workOf(scene));
    const lock = takeLock(journal, workOf(scene), 'an import', systemClock);
    const refused = await longshore(scene, 'forget', 'person1@example.com', '--yes');
    expect(refused).toMatchObject({ code: 6 });
    lock.release();
    journal.close();
    expect(await longshore(scene, 'forget', 'person1@example.com', '--yes')).toMatchObject({ code: 0 });
  });
});

it('keeps every run out while it asks and works, also one into a workspace that is new to the work dir', async () => {
  const elsewhere = await startSandbox({ seed: wholeSeed });
  try {
    await atScene(forgetSite, async (scene) => {
      await scene.import();
      const pipeline = join(scene.path, 'pipeline.yaml');
      const another = async () =>
        await run(['import', pipeline, '--work-dir', workOf(scene)], {
          LONGSHORE_TOKEN: 'sandbox',
          LONGSHORE_BASE_URL: elsewhere.baseUrl,
        });
      const reached: (number | null)[] = [];
      const forgotten = await forgetPersonInWorkDir({
        workDir: workOf(scene),
        invocation: usualInvocation,
        asked: parsePersonQuery('zenobia.quist@example.com'),
        clock: systemClock,
        async confirm() {
          // By now the files have been searched.
          reached.push((await another()).code);
          return true;
        },
        elsewhere: async () => void reached.push((await another()).code),
      });
      expect(reached).toEqual([6, 6]);
      expect(forgotten?.left).toEqual([]);
      expect(placesOf(workOf(scene))).toEqual([]);
      const journal = openJournalDatabase(workOf(scene));
      takeLock(journal, workOf(scene), 'an import', systemClock).release();
      journal.close();
    });
  } finally {
    await elsewhere.close();
  }
});

it('after one that was interrupted takes what that left for nobody, and leaves other texts whole', () => {
  const without = createIdentifierRedactor([
    'phone:[forgotten]',
    'email:',
    'email:[forgotten]',
    'email:a@x.test',
  ]);
  expect(without('{"rows":12,"at":"2026-01-01"}')).toBeNull();
  expect(without('{"email":"a@x.test"}')).toBe('{"email":"[forgotten]"}');
  expect(createIdentifierRedactor(['phone:[forgotten]'])('{"rows":12}')).toBeNull();
});

it('finds somebody of whom only a proposal for rows of several people speaks', async () => {
  // Under one phone they are one person to the import, and two contacts of the workspace.
  const phone = { Phone: '+12015550199' };
  const [other = forgottenRow] = others;
  const seed = {
    ...wholeSeed,
    contacts: [...everything.seed.contacts, { id: 91, firstName: 'Zenobia', email: 'person1@example.com' }],
  };
  const rows = [
    { ...forgottenRow, ...phone },
    { ...other, ...phone, First: 'Zenobia', Last: 'Quistgaard' },
  ];
  const mapping = wholeMapping.replace('key: ID\n', '');
  await atScene({ ...forgetSite, mapping, rows, seed }, async (scene) => {
    expect((await scene.import()).rows).toMatchObject({ proposed: 2 });
    // The end of an address is another address: of its owner nothing is here.
    const { stdout } = await longshore(scene, 'forget', 'quist@example.com', '--yes', '--json');
    expect(JSON.parse(stdout).counts).toMatchObject({ rows: 0, proposals: 0 });
    const ended = await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(placesOf(workOf(scene))).toEqual([]);
  });
});

/** Requests of a person at which an import is killed. */
const killedAt = ['', '/lifecycle/update', '/comment'].map((end) => `/contact/{identifier}${end}`);

it.each(some(killedAt))(
  'finds somebody whose row was in the middle when the import was killed: %j',
  async (template) => {
    const killer = new ProcessKiller('applied', [{ method: 'POST', template }]);
    const rows = [forgottenRow];
    await atScene({ ...forgetSite, rows, onPhase: killer.onPhase }, async (scene) => {
      const victim = scene.start('import', join(scene.path, 'pipeline.yaml'));
      killer.watch(victim);
      expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' });
      expect(placesOf(workOf(scene))).not.toEqual([]);
      const ended = await longshore(scene, 'forget', 'zenobia.quist@example.com', '--yes');
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      expect(placesOf(workOf(scene))).toEqual([]);
      const writes = scene.writes().length;
      expect((await scene.import()).rows).toMatchObject({ skipped: 1 });
      expect(scene.writes()).toHaveLength(writes);
      expect(placesOf(workOf(scene))).toEqual([]);
    });
  },
);

it('a row that may be a forgotten person is not sent, and says why, until it goes without what the two share', async () => {
  const phone = '+12015550101';
  const anna = { ID: '1', First: 'Anna', Last: 'Meyer', Email: 'anna@x.test', Phone: phone };
  const other = { ID: '2', First: 'Anna', Last: 'Schulz', Email: 'other@x.test', Phone: phone };
  const mapping = `mapping: people
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
`;
  await atScene({ mapping, rows: [anna, other], settings: { limits: { settle: '1s' } } }, async (scene) => {
    expect((await scene.import()).rows).toMatchObject({ created: 1, proposed: 1 });
    expect(await longshore(scene, 'forget', anna.Email, '--yes')).toMatchObject({ code: 0 });
    const again = await scene.import();
    expect(again.rows).toMatchObject({ skipped: 2, proposed: 0 });
    expect(again.csv('dropped.csv')).toMatchObject([
      { _line: '2', _code: 'person.forgotten' },
      { _line: '3', _code: 'identity.forgotten' },
    ]);
    expect(again.csv('same-person.csv')).toBeUndefined();
    scene.writeRows([anna, { ...other, Phone: '' }]);
    expect((await scene.import()).rows).toMatchObject({ created: 1, skipped: 1 });
  });
});

it('a person is found by the other form of a number that has two, and is kept out by both', async () => {
  const bia = { ID: '1', First: 'Bia', Last: 'Souza', Phone: '+5571980071007' };
  const mapping = `mapping: people
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  phone: { from: Phone }
`;
  const settings = { limits: { settle: '1s' } };
  await atScene(
    { mapping, rows: [bia, { ...bia, ID: '2', Phone: '12', Last: 'S.' }], settings },
    async (scene) => {
      expect((await scene.import()).rows).toMatchObject({ created: 1, rejected: 1 });
      const forgotten = await longshore(scene, 'forget', '+55 71 8007-1007', '--yes', '--json');
      expect(JSON.parse(forgotten.stdout)).toMatchObject({ known: 'known' });
      expect(placesOf(workOf(scene), ['5571980071007'])).toEqual([]);
      scene.writeRows([{ ...bia, ID: '3' }]);
      expect((await scene.import()).rows).toMatchObject({ skipped: 1, created: 0 });
    },
  );
});
