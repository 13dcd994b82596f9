import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { workbook } from '../sources/builders/xlsx.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { Ended } from './built.ts';
import { run } from './in-process.ts';

type Person = readonly [id: string, first: string, family: string, email: string];

const header = ['ID', 'First', 'Last', 'Email'];

const numbers = Array.from({ length: 300 }, (_, n) => n + 1);
const hardware = numbers.map((n): Person => [`${n}`, `Anna${n}`, `Stein${n}`, `anna${n}@hardware.example`]);
const bakery = numbers.map((n): Person => [`${n}`, `Boris${n}`, `Korn${n}`, `boris${n}@bakery.example`]);

const mapping = `mapping: contacts
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
`;

const comments = `comments:
  existing: send
  entries: [{ name: origin, text: "Legacy record {ID}" }]
`;

/** A work dir into which files of people are imported, all drafted as `contacts`. */
interface Project {
  readonly sandbox: Sandbox;
  /** Writes a pipeline over an input; returns its path. */
  pipeline(name: string, source: Readonly<Record<string, unknown>>, more?: object): string;
  /** Writes a CSV and a pipeline over it. */
  csv(name: string, people: readonly Person[], system?: string, more?: object): string;
  write(name: string, content: string | Buffer): void;
  longshore(...args: readonly string[]): Promise<Ended>;
  /** The rows of the import's summary by outcome, those that are not 0. */
  imported(code: number, pipeline: string, ...flags: readonly string[]): Promise<object>;
  /** The e-mails of all contacts, sorted. */
  emails(): readonly string[];
  /** Requests that changed something since this was asked last. */
  writes(): number;
}

async function atProject(play: (project: Project) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const sandbox = await startSandbox({ strict: true, rate: 'off' });
  const write: Project['write'] = (name, content) => writeFileSync(join(folder.path, name), content);
  write('mapping.yaml', mapping);
  const longshore: Project['longshore'] = (...args) =>
    run(
      [...args, '--workspace', sandbox.baseUrl, '--work-dir', join(folder.path, 'work')],
      { LONGSHORE_TOKEN: 'sandbox' },
      undefined,
      folder.path,
    );
  const pipeline: Project['pipeline'] = (name, source, more = {}) => {
    const document = { pipeline: `import-${name}`, import: { source, mapping: 'mapping.yaml', ...more } };
    write(`${name}.yaml`, JSON.stringify(document));
    return `${name}.yaml`;
  };
  try {
    await play({
      sandbox,
      write,
      longshore,
      pipeline,
      csv(name, people, system, more) {
        write(`${name}.csv`, [header, ...people].map((cells) => cells.join(',')).join('\n'));
        return pipeline(name, { format: 'csv', path: `${name}.csv`, ...(system && { system }) }, more);
      },
      async imported(code, path, ...flags) {
        const ended = await longshore('import', path, '--json', ...flags);
        if (ended.code !== code) throw new Error(`code ${ended.code}\n${ended.stdout}\n${ended.stderr}`);
        const { rows }: { rows: Record<string, number> } = JSON.parse(ended.stdout);
        return Object.fromEntries(Object.entries(rows).filter(([name, n]) => name !== 'read' && n > 0));
      },
      emails: () =>
        sandbox
          .contacts()
          .map(({ email }) => email ?? '')
          .sort(),
      writes() {
        const sent = sandbox.log.filter(({ method, path }) => method !== 'GET' && path !== '/contact/list');
        sandbox.resetLog();
        return sent.length;
      },
    });
  } finally {
    await sandbox.close();
    folder.remove();
  }
}

const emailsOf = (...files: readonly (readonly Person[])[]) =>
  files
    .flat()
    .map(([, , , email]) => email)
    .sort();

describe('two files that number their people from 1, in one work dir', () => {
  it('the second stops with 4 before its first write, and goes through as a system of its own', () =>
    atProject(async (project) => {
      expect(await project.imported(0, project.csv('contacts', hardware))).toEqual({ created: 300 });
      project.writes();
      const second = project.csv('contacts', bakery);
      for (const command of ['plan', 'import']) {
        const stopped = await project.longshore(command, second);
        expect(stopped.code).toBe(4);
        expect(stopped.stderr).toContain(
          '300 of 300 rows have the key of another person, for example line 2 (key 1)',
        );
        expect(stopped.stderr).toContain('Nothing was sent.');
        expect(stopped.stderr).toContain('source: { system: NAME }');
        expect(project.writes()).toBe(0);
      }
      const checked = await project.longshore('check', second);
      expect(checked.code).toBe(2);
      expect(checked.stdout).toContain('300 of 300 rows have the key of another person');
      expect(project.emails()).toEqual(emailsOf(hardware));
      expect(await project.imported(0, project.csv('contacts', bakery, 'bakery'))).toEqual({ created: 300 });
      expect(project.emails()).toEqual(emailsOf(hardware, bakery));
      project.writes();
      for (const [people, system] of [[hardware], [bakery, 'bakery']] as const)
        expect(await project.imported(0, project.csv('contacts', people, system))).toEqual({
          unchanged: 300,
        });
      expect(project.writes()).toBe(0);
    }));

  it('two sheets of one workbook: the second stops with 4, and both go through as "sheets"', () =>
    atProject(async (project) => {
      const [north, south] = [hardware.slice(0, 30), bakery.slice(0, 30)];
      const sheets = { North: [header, ...north], South: [header, ...south] };
      project.write('people.xlsx', workbook({ sheets }));
      const of = (choice: object) =>
        project.pipeline('contacts', { format: 'xlsx', path: 'people.xlsx', ...choice });
      expect(await project.imported(0, of({ sheet: 'North' }))).toEqual({ created: 30 });
      project.writes();
      expect((await project.longshore('import', of({ sheet: 'South' }))).code).toBe(4);
      expect(project.writes()).toBe(0);
      const both = of({ sheets: ['North', 'South'] });
      await project.imported(0, both);
      expect(project.emails()).toEqual(emailsOf(north, south));
      expect(await project.imported(0, both)).toEqual({ unchanged: 60 });
    }));
});

it('a draft asks whether an input is of a CRM whose keys the work dir remembers', () =>
  atProject(async (project) => {
    const people = project.csv('contacts', hardware.slice(0, 30));
    const draft = async () => (await project.longshore('draft', 'contacts.csv', '--print')).stdout;
    expect(await draft()).not.toContain('is this the CRM of');
    await project.imported(0, people);
    const [last]: readonly { run: string }[] = JSON.parse((await project.longshore('runs', '--json')).stdout);
    expect(await draft()).toMatch(
      new RegExp(
        `system: "?TODO: is this the CRM of run ${last?.run} of \\d{4}-\\d\\d-\\d\\d \\(30 keys\\)\\? Then write contacts; for another CRM write another name`,
      ),
    );
  }));

describe('people of one system who have changed', () => {
  const some = hardware.slice(0, 30);

  it('twenty keys of other people do not stop an import, and one more does', () =>
    atProject(async (project) => {
      const reused = (n: number) => [...bakery.slice(0, n), ...some.slice(n)];
      await project.imported(0, project.csv('contacts', some));
      expect((await project.longshore('plan', project.csv('contacts', reused(20)))).code).not.toBe(4);
      expect((await project.longshore('plan', project.csv('contacts', reused(21)))).code).toBe(4);
    }));

  describe.each([
    ['without names', '', '', 'Email'],
    ['whose names are all placeholders', 'N/A', 'N/A', 'Email'],
    ['without names and e-mails', '', '', 'Phone'],
  ])('%s', (_what, first, family, identifier) => {
    const nameless = (people: readonly Person[]) =>
      people.map(([id, , , email], n): Person => {
        return [
          id,
          first,
          family,
          identifier === 'Email' ? email : `+1201${email.endsWith('hardware.example') ? 2 : 3}00${1_000 + n}`,
        ];
      });
    const mapped = mapping
      .replace('{ from: First }', '{ from: First, default: Unknown }')
      .replace('email: { from: Email }', `${identifier.toLowerCase()}: { from: Email }`);
    const [people, strangers] = [nameless(some), nameless(bakery.slice(0, 30))];

    it('thirty keys with the e-mails or phones of other people stop an import before its first write', () =>
      atProject(async (project) => {
        project.write('mapping.yaml', mapped);
        await project.imported(0, project.csv('contacts', people));
        project.writes();
        const stopped = await project.longshore('import', project.csv('contacts', strangers));
        expect(stopped.code).toBe(4);
        expect(stopped.stderr).toContain('30 of 30 rows have the key of another person');
        expect(project.writes()).toBe(0);
      }));

    it('twenty of them are people who have another one now', () =>
      atProject(async (project) => {
        project.write('mapping.yaml', mapped);
        await project.imported(0, project.csv('contacts', people));
        const changed = [...strangers.slice(0, 20), ...people.slice(20)];
        expect(await project.imported(0, project.csv('contacts', changed))).toEqual({
          updated: 20,
          unchanged: 10,
        });
      }));
  });

  it('thirty of a thousand keys do not stop an import, and one more does', () =>
    atProject(async (project) => {
      const of = (name: string, from: number, to: number) =>
        Array.from({ length: to - from }, (_, n): Person => {
          const id = from + n + 1;
          return [`${id}`, `${name}${id}`, `${name}son${id}`, `${name}${id}@x.test`];
        });
      await project.imported(0, project.csv('contacts', of('Anna', 0, 1_000)));
      const reused = (n: number) => [...of('Boris', 0, n), ...of('Anna', n, 1_000)];
      expect((await project.longshore('plan', project.csv('contacts', reused(30)))).code).not.toBe(4);
      const stopped = await project.longshore('plan', project.csv('contacts', reused(31)));
      expect(stopped.code).toBe(4);
      expect(stopped.stderr).toContain('31 of 1,000 rows have the key of another person');
    }));

  it('names that were all written in another way stop nothing: the e-mails are the same', () =>
    atProject(async (project) => {
      await project.imported(0, project.csv('contacts', some));
      const upper = some.map(([id, first, family, email]): Person => {
        return [id, first.toUpperCase(), family.toUpperCase(), email];
      });
      expect(await project.imported(0, project.csv('contacts', upper))).toEqual({ updated: 30 });
    }));

  it('policy.samePerson: identifier takes all of it, as before', () =>
    atProject(async (project) => {
      await project.imported(0, project.csv('contacts', some));
      const policy = { policy: { samePerson: 'identifier' } };
      const taken = await project.imported(
        0,
        project.csv('contacts', bakery.slice(0, 30), undefined, policy),
      );
      expect(taken).toEqual({ updated: 30 });
    }));
});

describe('a system that a pipeline names later', () => {
  const some = hardware.slice(0, 5);

  it('takes over what the mapping remembers of the same CRM: nothing is sent twice, and an undo reaches it', () =>
    atProject(async (project) => {
      project.write('mapping.yaml', `${mapping}${comments}`);
      await project.imported(0, project.csv('contacts', some));
      const before = (await project.longshore('runs', '--json')).stdout;
      const [first]: readonly { run: string }[] = JSON.parse(before);
      project.writes();
      const added: Person = ['6', 'New', 'Person', 'new@hardware.example'];
      const named = project.csv('contacts', [...some, added], 'crm');
      const ended = await project.longshore('import', named);
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.stderr).toContain('source.system "crm" is new, and the keys are those of earlier imports');
      expect(project.writes()).toBe(2);
      expect(await project.imported(0, named)).toEqual({ unchanged: 6 });
      const gone = project.csv('contacts', some, 'crm');
      expect(await project.imported(0, gone)).toEqual({ unchanged: 5 });
      expect(project.writes()).toBe(0);
      const undone = await project.longshore('undo', first?.run ?? '', '--yes', '--json');
      expect(undone.code).toBe(3);
      expect(JSON.parse(undone.stdout)).toMatchObject({ undoes: first?.run });
    }));

  it('is another memory where the keys are of other people, however few', () =>
    atProject(async (project) => {
      await project.imported(0, project.csv('contacts', some));
      const others = bakery.slice(0, 5);
      expect(await project.imported(0, project.csv('contacts', others, 'bakery'))).toEqual({ created: 5 });
      expect(project.emails()).toEqual(emailsOf(some, others));
      expect(await project.imported(0, project.csv('contacts', some))).toEqual({ unchanged: 5 });
    }));

  it('cannot change while a run is unfinished', () =>
    atProject(async (project) => {
      await project.imported(0, project.csv('contacts', some), '--limit', '2');
      const ended = await project.longshore('import', project.csv('contacts', some, 'crm'));
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toContain('source.system has changed since run');
    }));

  it('a key that was forgotten stays forgotten', () =>
    atProject(async (project) => {
      await project.imported(0, project.csv('contacts', some));
      expect((await project.longshore('forget', 'key:3', '--yes')).code).toBe(0);
      const [id, first, family] = some[2] ?? [];
      const moved = some.map(
        (each): Person =>
          each[0] === id ? [id, first ?? '', family ?? '', 'elsewhere@hardware.example'] : each,
      );
      const found = await project.imported(0, project.csv('contacts', moved, 'crm'));
      expect(found).toEqual({ unchanged: 4, skipped: 1 });
      // Also where nobody is left whose key could say that it is the same CRM.
      expect(await project.imported(0, project.csv('contacts', moved.slice(2, 3), 'crm-2'))).toEqual({
        skipped: 1,
      });
    }));

  it('a forgotten key of one system keeps out no person of another', () =>
    atProject(async (project) => {
      await project.imported(0, project.csv('contacts', some));
      expect((await project.longshore('forget', 'key:3', '--yes')).code).toBe(0);
      const others = project.csv('contacts', bakery.slice(0, 5), 'bakery');
      expect(await project.imported(0, others)).toEqual({ created: 5 });
      expect(await project.imported(0, others)).toEqual({ unchanged: 5 });
    }));
});
