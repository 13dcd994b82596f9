import { appendFileSync, cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Ended, type Running, start } from './command.ts';
import { run } from './in-process.ts';
import { customField, readCsv } from './scene.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tokens = { old: 'the-token-of-the-old-workspace', new: 'the-token-of-the-new-workspace' };

type SeedOf = Exclude<SandboxOptions['seed'], string | undefined>;

const users = [
  { id: 31, firstName: 'Jane', lastName: 'Doe', email: 'jane@example.com' },
  { id: 32, firstName: 'Max', lastName: 'Example', email: 'max@example.com' },
];

const customFields: SeedOf['customFields'] = [
  { name: 'Company', dataType: 'text' },
  { name: 'Score', dataType: 'number' },
  { name: 'Plan', dataType: 'list', allowedValues: ['gold', 'silver'] },
  { name: 'Birthday', dataType: 'date' },
  { name: 'Opted in', dataType: 'checkbox' },
  { name: 'Website', dataType: 'url' },
];

/** Every 40th wrote on the web only, every third has a history. */
function oldWorkspace(count: number): SeedOf {
  const ids = Array.from({ length: count }, (_, n) => n + 1);
  return {
    users,
    customFields,
    contacts: ids.map((id) => ({
      id,
      firstName: `First ${id}`,
      lastName: id % 5 === 0 ? null : `Läst "${id}"`,
      ...(id % 40 === 0 ? {} : { email: `p${id}@example.com` }),
      ...(id < 100 && id % 40 !== 0 ? { phone: `+12025550${100 + id}` } : {}),
      language: ['en', 'fr', null][id % 3] ?? null,
      countryCode: ['US', 'MY', null][id % 3] ?? null,
      custom_fields: [
        { name: 'Company', value: id % 2 === 0 ? `Company ${id}; "x"` : null },
        { name: 'Score', value: id },
        { name: 'Plan', value: id % 2 === 0 ? 'gold' : 'silver' },
        { name: 'Opted in', value: id % 7 === 0 },
      ],
      tags: id % 4 === 0 ? ['vip', `tag ${id % 3}`] : [],
      assignee: [null, 'jane@example.com', 'max@example.com'][id % 3] ?? null,
      lifecycle: ['New Lead', 'Customer', null][id % 3] ?? null,
      status: id % 2 === 0 ? 'closed' : 'open',
      created_at: 1_700_000_000 + id,
    })),
    messages: ids
      .filter((id) => id % 3 === 0)
      .flatMap((id) =>
        Array.from({ length: id === 3 ? 6 : 2 }, (_, n) => ({
          messageId: id * 1_000 + n,
          contactId: id,
          channelId: 12,
          traffic: n % 2 === 0 ? ('incoming' as const) : ('outgoing' as const),
          message: { type: 'text', text: `m${n} of ${id}` },
          ...(n % 2 === 0 ? {} : { sender: { source: 'user', userId: '31' } }),
          status: [{ value: 'read', timestamp: 1_700_000_000 + n }],
        })),
      ),
  };
}

type Hook = NonNullable<SandboxOptions['onPhase']>;

interface Move {
  readonly old: Sandbox;
  readonly new: Sandbox;
  readonly workDir: string;
  /** Called with the requests of both workspaces. */
  watch(hook: Hook | undefined): void;
  /** A command about the shipped pipeline, in a process of its own. */
  start(...args: readonly string[]): Running;
  /** The same to its end. */
  run(...args: readonly string[]): Promise<Ended>;
  import(...flags: readonly string[]): Promise<Ended>;
}

/** Two workspaces and the shipped pipeline between them, for as long as `play` takes. */
async function moving(count: number, play: (move: Move) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  for (const name of ['mappings', 'pipelines', 'fixtures/workspace']) {
    cpSync(join(root, name), join(folder.path, name), { recursive: true });
  }
  let hook: Hook | undefined;
  const onPhase: Hook = (phase, request) => hook?.(phase, request);
  const shared = { onPhase, logSize: 100_000 };
  const from = await startSandbox({ ...shared, seed: oldWorkspace(count), tokens: [tokens.old] });
  const to = await startSandbox({ ...shared, seed: { users, customFields }, tokens: [tokens.new] });
  const workDir = join(folder.path, 'work');
  const begun: Running[] = [];
  const env = {
    LONGSHORE_SOURCE_BASE_URL: from.baseUrl,
    LONGSHORE_SOURCE_TOKEN: tokens.old,
    LONGSHORE_BASE_URL: to.baseUrl,
    LONGSHORE_TOKEN: tokens.new,
  };
  const begin: Move['start'] = (...args) => {
    const running = start([...args, '--work-dir', workDir], env);
    begun.push(running);
    return running;
  };
  const toEnd: Move['run'] = (...args) => run([...args, '--work-dir', workDir], env);
  const pipeline = join(folder.path, 'pipelines/import-workspace.yaml');
  // Nobody waits two minutes here for what a killed import may have created.
  appendFileSync(pipeline, '  limits: { settle: 2s }\n');
  try {
    await play({
      old: from,
      new: to,
      workDir,
      watch: (next) => {
        hook = next;
      },
      start: begin,
      run: toEnd,
      import: (...flags) => toEnd('import', pipeline, ...flags),
    });
  } finally {
    for (const running of begun) running.process.kill('SIGKILL');
    await from.close();
    await to.close();
    folder.remove();
  }
}

type ContactRecord = ReturnType<Sandbox['contacts']>[number];

const kept = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'language',
  'countryCode',
  'lifecycle',
  'status',
] as const;

const keptFields = ['Company', 'Score', 'Plan', 'Birthday', 'Opted in', 'Website'];

/** What moves of a contact, in words of its own. */
function moved(contact: ContactRecord, comments: readonly string[]): unknown {
  return {
    ...Object.fromEntries(kept.map((name) => [name, contact[name]])),
    assignee: contact.assignee?.email ?? null,
    ...Object.fromEntries(keptFields.map((name) => [name, customField(contact, name)])),
    comments,
  };
}

/** The messages that a contact of the old workspace has, as the shipped mapping writes them down. */
function history({ id, firstName, lastName }: ContactRecord): string[] {
  if (id % 3 !== 0) return [];
  return Array.from({ length: id === 3 ? 6 : 2 }, (_, n) => {
    const at = new Date((1_700_000_000 + n) * 1_000).toISOString().slice(0, 16).replace('T', ' ');
    const name = [firstName, lastName].filter((part) => part !== null).join(' ');
    const who = n % 2 === 0 ? `incoming ${name}` : 'outgoing Jane Doe';
    return `${at} ${who}: m${n} of ${id}`;
  });
}

const reachable = ({ email, phone }: ContactRecord): boolean => email !== null || phone !== null;

const byEmail = (contacts: readonly unknown[]): unknown =>
  [...contacts].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Everybody who can be created is there, once, with everything. */
function expectMoved(people: readonly ContactRecord[], to: Sandbox): void {
  const expected = people.filter(reachable).map((contact) => moved(contact, history(contact)));
  const found = to.contacts().map((contact) =>
    moved(
      contact,
      contact.comments.map(({ text }) => text),
    ),
  );
  expect(byEmail(found)).toEqual(byEmail(expected));
}

function rowsOf({ stdout, stderr, code }: Ended): Record<string, number> {
  if (code !== 0 && code !== 3) throw new Error(`code ${code}\n${stdout}\n${stderr}`);
  const { rows } = JSON.parse(stdout);
  return Object.fromEntries(Object.entries<number>(rows).filter(([, n]) => n > 0));
}

function limited(sandbox: Sandbox): number {
  return sandbox.log.filter(({ status }) => status === 429).length;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

describe.concurrent('one workspace moved into another by the real command', () => {
  it('is there field by field, what cannot be created is rejected, and no token lies about', () =>
    moving(200, async (move) => {
      const ended = await move.import('--json');
      expect(rowsOf(ended)).toEqual({ read: 200, created: 195, rejected: 5 });
      expectMoved(move.old.contacts(), move.new);
      expect([limited(move.old), limited(move.new)]).toEqual([0, 0]);
      expect(move.old.log.filter(({ applied }) => applied)).toEqual([]);

      const folder = join(move.workDir, 'runs', JSON.parse(ended.stdout).run);
      const rejects = readCsv(join(folder, 'rejects.csv'));
      expect(rejects.map(({ id, _code }) => [id, _code])).toEqual(
        [40, 80, 120, 160, 200].map((id) => [String(id), 'identity.missing']),
      );
      const tags = readCsv(join(folder, 'contact-tags.csv')).map((line) => [line.email, line.tags]);
      const tagged = move.old.contacts().filter((contact) => contact.tags.length > 0 && reachable(contact));
      expect(tags.sort()).toEqual(tagged.map((contact) => [contact.email, contact.tags.join(';')]).sort());

      const said = ended.stdout + ended.stderr;
      const files = filesUnder(move.workDir).map((path) => readFileSync(path));
      for (const token of Object.values(tokens)) {
        expect(said).not.toContain(token);
        expect(files.filter((content) => content.includes(token))).toEqual([]);
      }
      // The copy is gone with the run that needed it.
      expect(readdirSync(join(move.workDir, 'spool'))).toEqual([]);
    }));

  it('a new import reads it again and sends only what changed', () =>
    moving(40, async (move) => {
      expect(rowsOf(await move.import('--json'))).toMatchObject({ created: 39 });
      move.old.add({ contacts: [{ id: 900, firstName: 'Late', email: 'late@example.com', status: 'open' }] });
      expect(rowsOf(await move.import('--json'))).toEqual({
        read: 41,
        created: 1,
        unchanged: 39,
        rejected: 1,
      });
    }));

  it(
    'killed while it copies and while it imports, it goes on with what it began with, and ends exact',
    () =>
      moving(150, async (move) => {
        const before = move.old.contacts();
        const killedAt = async (strike: (...at: Parameters<Hook>) => boolean): Promise<void> => {
          const victim = move.start('import', join(move.workDir, '../pipelines/import-workspace.yaml'));
          move.watch((phase, request) => {
            if (!strike(phase, request)) return;
            move.watch(undefined);
            victim.process.kill('SIGKILL');
          });
          expect(await victim.ended).toMatchObject({ signal: 'SIGKILL' });
        };
        const listing = '/contact/{identifier}/message/list';
        const nth = (n: number, such: (...at: Parameters<Hook>) => boolean) => {
          let left = n;
          return (...at: Parameters<Hook>) => such(...at) && --left === 0;
        };
        await killedAt(nth(1, (phase, { template }) => phase === 'received' && template === '/contact/list'));
        await killedAt(nth(120, (phase, { template }) => phase === 'received' && template === listing));
        await killedAt(
          nth(
            30,
            (phase, { method, template }) =>
              phase === 'applied' && method === 'POST' && template === '/contact/{identifier}',
          ),
        );
        // From here on the copy is bound to the run: what the old workspace says meanwhile is for the next one.
        move.old.add({
          contacts: [{ id: 900, firstName: 'Late', email: 'late@example.com', status: 'open' }],
        });
        move.old.resetLog();
        await killedAt(
          nth(
            90,
            (phase, { template }) => phase === 'applied' && template === '/contact/{identifier}/comment',
          ),
        );
        const last = await move.import('--json');
        expect(move.old.log).toEqual([]);
        expect(rowsOf(last)).toMatchObject({ read: 150, rejected: 3 });
        // A comment of which nobody knows whether it arrived waits for a person.
        const uncertain = rowsOf(last).uncertain ?? 0;
        expect(uncertain).toBeLessThanOrEqual(64);
        if (uncertain === 0) expectMoved(before, move.new);
        const emails = move.new.contacts().map(({ email }) => email);
        expect(new Set(emails).size).toBe(147);
        expect(emails).toHaveLength(147);
        expect(emails).not.toContain('late@example.com');
        for (const { comments } of move.new.contacts()) {
          const texts = comments.map(({ text }) => text);
          expect(new Set(texts).size).toBe(texts.length);
          expect(texts).toEqual([...texts].sort((a, b) => numberIn(a) - numberIn(b)));
        }
        expect(rowsOf(await move.import('--json', '--fresh'))).toMatchObject({ read: 151, created: 1 });
      }),
    120_000,
  );

  it('tells which workspace refused, and never with a token', () =>
    moving(3, async (move) => {
      move.old.revokeToken(tokens.old);
      const refused = await move.import('--json');
      expect(refused.code).toBe(5);
      expect(refused.stderr).toContain(`The input ${move.old.baseUrl}: The workspace refused the token`);
      expect(refused.stderr).toContain('LONGSHORE_SOURCE_TOKEN');
      expect(refused.stderr).not.toContain(tokens.old);
    }));

  it('check asks the old workspace online only, and says which columns it does not have', () =>
    moving(3, async (move) => {
      const folder = join(move.workDir, '..');
      const pipeline = join(folder, 'pipelines/import-workspace.yaml');
      const offline = await move.run('check', pipeline);
      expect(offline).toMatchObject({ code: 0, stdout: expect.stringContaining('check --online') });
      expect(move.old.log).toEqual([]);
      expect(await move.run('check', pipeline, '--online')).toMatchObject({ code: 0 });
      const mapping = join(folder, 'mappings/workspace.yaml');
      const text = readFileSync(mapping, 'utf8');
      writeFileSync(mapping, text.replaceAll('customFields.Score', 'customFields.Scores'));
      const { code, stdout } = await move.run('check', pipeline, '--online');
      expect(code).toBe(2);
      expect(stdout).toContain('no column "customFields.Scores"; did you mean "customFields.Score"?');
    }));

  it('is refused where both are one and the same', () =>
    moving(3, async (move) => {
      const pipeline = join(move.workDir, '../pipelines/import-workspace.yaml');
      const text = readFileSync(pipeline, 'utf8');
      writeFileSync(pipeline, text.replace('tokenEnv: LONGSHORE_TOKEN', 'tokenEnv: LONGSHORE_SOURCE_TOKEN'));
      const { code, stderr } = await move.import('--json', '--workspace', move.old.baseUrl);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('the same workspace'),
      });
    }));
});

/** The number of the message that a comment is of. */
function numberIn(text: string): number {
  return Number(/: m(\d+) of/.exec(text)?.[1]);
}
