import { describe, expect, it } from 'vitest';
import { ask, atScene, contactOf, contactWith, type InputRow } from './scene.ts';

const basics = `mapping: belongings
key: ID
contact:
  firstName: { from: First }
  email: { from: Email }
  phone: { from: Phone }
`;

const users = [
  { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@example.org' },
  { id: 2, firstName: 'Max', lastName: 'Manager', email: 'max@example.org' },
];

function person(n: number, cells: InputRow = {}): InputRow {
  return { ID: `P${n}`, First: `Person${n}`, Email: email(n), Phone: '', ...cells };
}

const email = (n: number) => `person${n}@example.com`;

describe('comments', () => {
  const mapping = `${basics}assignee: { from: Owner }
comments:
  - { name: first, text: "First {ID}" }
  - { name: long, text: "{mention: assignee} {Note}" }
  - { name: last, text: "Last {ID}" }
`;

  it('arrive in order, a long one in marked parts, mentions only by the mapping', async () => {
    const note = `{{@user.1}} ${Array.from({ length: 700 }, (_, n) => `w${n}`).join(' ')} é${'😀'.repeat(60)}`;
    const rows = [person(0, { Owner: 'Max Manager', Note: note }), person(1, { Owner: '', Note: '' })];
    await atScene({ mapping, rows, seed: { users } }, async ({ sandbox, import: runImport }) => {
      expect((await runImport()).code).toBe(0);
      const texts = contactOf(sandbox, email(0)).comments.map(({ text }) => text);
      expect([texts[0], texts.at(-1)]).toEqual(['First P0', 'Last P0']);
      const parts = texts.slice(1, -1);
      const count = parts.length;
      expect(count).toBeGreaterThanOrEqual(4);
      for (const text of parts) expect(text.length).toBeLessThanOrEqual(1_000);
      expect(parts.map((text) => /\((\d+\/\d+)\)/.exec(text)?.[1])).toEqual(
        parts.map((_, n) => `${n + 1}/${count}`),
      );
      const joined = parts.map((text) => text.replace(/\(\d+\/\d+\)/, '').trim()).join(' ');
      expect(joined.startsWith('{{@user.2}} ')).toBe(true);
      expect(joined).not.toContain('{{@user.1}}');
      expect(joined).toContain(note.slice(note.indexOf(' ') + 1));
      expect(contactOf(sandbox, email(1)).comments.map(({ text }) => text)).toEqual(['First P1', 'Last P1']);
    });
  });

  it('are not sent to people who were there before, unless the mapping says so', async () => {
    const seed = { users, contacts: [{ id: 5, firstName: 'Person0', email: email(0) }] };
    const rows = [person(0, { Owner: '', Note: 'x' })];
    await atScene({ mapping, rows, seed }, async (scene) => {
      expect(await scene.import()).toMatchObject({ code: 0, rows: { unchanged: 1 } });
      expect(scene.writes()).toEqual([]);
    });
  });
});

describe('tags', () => {
  const mapping = (more: string) => `${basics}tags: { from: Tags, split: ";"${more} }
`;
  const eleven = Array.from({ length: 11 }, (_, n) => `tag${n}`);

  it('are ensured in the workspace once, and go to contact-tags.csv', async () => {
    const rows = [
      person(0, { Tags: 'VIP;News', Phone: '+12015550140' }),
      person(1, { Tags: 'vip; ;News' }),
      person(2, { Tags: '' }),
    ];
    const seed = { tags: [{ name: 'News', description: 'kept' }] };
    await atScene({ mapping: mapping(''), rows, seed }, async (scene) => {
      const { sandbox } = scene;
      const report = await scene.import();
      expect(report.code).toBe(0);
      const line = (n: number) => ({ contactId: String(contactOf(sandbox, email(n)).id), email: email(n) });
      expect(lowerTags(report.csv('contact-tags.csv'))).toEqual([
        { ...line(0), phone: '+12015550140', tags: 'vip;news' },
        { ...line(1), phone: '', tags: 'vip;news' },
      ]);
      expect(sandbox.counts()['POST /space/tag']?.applied).toBe(1);
      const { body } = await ask(sandbox, 'PUT', '/space/tag', { currentName: 'News' });
      expect(body).toMatchObject({ name: 'News', description: 'kept' });
      sandbox.resetLog();
      await scene.import();
      expect(scene.writes()).toEqual([]);
    });
  });

  it('are at most ten: more reject the row, or are cut where the mapping says so, and never in silence', async () => {
    const rows = [person(0, { Tags: eleven.join(';') }), person(1, { Tags: eleven.slice(1).join(';') })];
    await atScene({ mapping: mapping(''), rows }, async (scene) => {
      const report = await scene.import();
      expect(report).toMatchObject({ code: 3, rows: { created: 1, rejected: 1 } });
      expect(report.csv('rejects.csv')).toMatchObject([{ _line: '2', _code: 'tags.tooMany' }]);
    });
    await atScene({ mapping: mapping(', overflow: first10'), rows }, async (scene) => {
      const report = await scene.import();
      expect(report).toMatchObject({ code: 0, rows: { created: 2 } });
      const tags = (report.csv('contact-tags.csv') ?? []).map((line) => line.tags);
      expect(tags).toEqual([eleven.slice(0, 10).join(';'), eleven.slice(1).join(';')]);
      expect(report.csv('dropped.csv')).toMatchObject([{ _line: '2' }]);
    });
  });
});

describe('an assignee', () => {
  const mapping = (unknown: string) => `${basics}assignee: { from: Owner${unknown} }
`;
  const seed = {
    users,
    contacts: [{ id: 5, firstName: 'Person3', email: email(3), assignee: 'olive@example.org' }],
  };
  const rows = ['2', 'MAX@example.org', 'Max Manager', 'Nobody Known', 'Nobody Known', ''].map((Owner, n) =>
    person(n, { Owner }),
  );
  const assignees = [2, 2, 2];

  it.concurrent.each([
    { unknown: '', known: 1, stranger: null, rejected: 0 },
    { unknown: ', unknown: unassigned', known: 1, stranger: null, rejected: 0 },
    { unknown: ', unknown: olive@example.org', known: 1, stranger: 1, rejected: 0 },
    { unknown: ', unknown: reject', known: 1, stranger: null, rejected: 2 },
  ])(
    'is found by id, e-mail or name; an unknown one:$unknown',
    async ({ unknown, known, stranger, rejected }) => {
      await atScene({ mapping: mapping(unknown), rows, seed }, async (scene) => {
        const report = await scene.import();
        expect(report.rows).toMatchObject({ rejected, failed: 0 });
        const ofNew = (n: number) => contactOf(scene.sandbox, email(n)).assignee?.id ?? null;
        expect([0, 1, 2].map(ofNew)).toEqual(assignees);
        expect(contactWith(scene.sandbox, 5).assignee?.id).toBe(known);
        expect(ofNew(5)).toBe(null);
        if (rejected === 0) expect(ofNew(4)).toBe(stranger);
        else {
          const codes = (report.csv('rejects.csv') ?? []).map(({ _line, _code }) => [_line, _code]);
          expect(codes).toEqual([
            ['5', 'assignee.unknown'],
            ['6', 'assignee.unknown'],
          ]);
        }
      });
    },
  );
});

describe('a lifecycle', () => {
  const mapping = (
    more: string,
  ) => `${basics}lifecycle: { from: Stage, stages: [New Lead, Hot Lead, Customer]${more} }
`;
  const seed = {
    contacts: ['Customer', 'New Lead', null].map((lifecycle, n) => ({
      id: 5 + n,
      firstName: `Person${n}`,
      email: email(n),
      lifecycle,
    })),
  };
  const rows = [0, 1, 2, 3].map((n) => person(n, { Stage: 'Hot Lead' }));

  it.concurrent.each([
    { more: '', first: 'Customer' },
    { more: ', allowBackward: true', first: 'Hot Lead' },
  ])('goes forward, and backward is left and noted, unless allowed:$more', async ({ more, first }) => {
    await atScene({ mapping: mapping(more), rows, seed }, async (scene) => {
      const report = await scene.import();
      expect(report.code).toBe(0);
      const { sandbox } = scene;
      expect([5, 6, 7].map((id) => contactWith(sandbox, id).lifecycle)).toEqual([
        first,
        'Hot Lead',
        'Hot Lead',
      ]);
      expect(contactOf(sandbox, email(3)).lifecycle).toBe('Hot Lead');
      const noted = (report.csv('dropped.csv') ?? []).map(({ _line }) => _line);
      expect(noted).toEqual(first === 'Customer' ? ['2'] : []);
    });
  });

  it('is left alone under fill, unless there is none', async () => {
    const settings = { policy: { onMatch: 'fill' } };
    await atScene(
      { mapping: mapping(', allowBackward: true'), rows, seed, settings },
      async ({ sandbox, ...scene }) => {
        await scene.import();
        const stages = [5, 6, 7].map((id) => contactWith(sandbox, id).lifecycle);
        expect(stages).toEqual(['Customer', 'New Lead', 'Hot Lead']);
      },
    );
  });
});

describe('a conversation', () => {
  const mapping = `${basics}conversation: { status: closed, existing: true }
`;

  it('of a blocked contact is never touched', async () => {
    const contacts = [
      { id: 5, firstName: 'Person0', email: email(0), status: 'blocked' as const },
      { id: 6, firstName: 'Person1', email: email(1) },
    ];
    await atScene({ mapping, rows: [person(0), person(1)], seed: { contacts } }, async (scene) => {
      expect((await scene.import()).code).toBe(0);
      expect(scene.writes()).toEqual(['POST /contact/id:6/conversation/status']);
      expect([5, 6].map((id) => contactWith(scene.sandbox, id).status)).toEqual(['blocked', 'closed']);
    });
  });
});

describe('a phone of many people', () => {
  const board = '+12015550160';
  const seed = { contacts: [{ id: 5, firstName: 'Reception', phone: board }] };
  const rowsOf = (count: number) => Array.from({ length: count }, (_, n) => person(n, { Phone: board }));

  it('is kept as a value and finds nobody, where more share it than the switchboard number says', async () => {
    await atScene({ mapping: basics, rows: rowsOf(6), seed }, async (scene) => {
      const before = contactWith(scene.sandbox, 5);
      expect(await scene.import()).toMatchObject({ code: 0, rows: { created: 6, folded: 0 } });
      expect(rowsOf(6).map((_, n) => contactOf(scene.sandbox, email(n)).phone)).toEqual(Array(6).fill(board));
      expect(contactWith(scene.sandbox, 5)).toEqual(before);
    });
  });

  it('links rows of one name where no more share it', async () => {
    const settings = { policy: { maxPeoplePerPhone: 3 } };
    const named = (count: number) => rowsOf(count).map((row) => ({ ...row, First: 'Ada' }));
    await atScene({ mapping: basics, rows: named(3), settings }, async (scene) => {
      expect(await scene.import()).toMatchObject({ rows: { created: 1, folded: 2 } });
    });
    await atScene({ mapping: basics, rows: named(4), settings }, async (scene) => {
      expect(await scene.import()).toMatchObject({ rows: { created: 4, folded: 0 } });
    });
  });

  it('is for one of its people where no more share it, and they are not of one name', async () => {
    const settings = { policy: { maxPeoplePerPhone: 3 } };
    await atScene({ mapping: basics, rows: rowsOf(3), settings }, async (scene) => {
      expect(await scene.import()).toMatchObject({ rows: { created: 3, folded: 0 } });
      const phones = [0, 1, 2].map((n) => contactOf(scene.sandbox, email(n)).phone);
      expect(phones).toEqual([board, null, null]);
    });
  });

  it('is no switchboard where all its rows are one person anyway', async () => {
    const rows = Array.from({ length: 8 }, (_, n) => ({ ...person(0, { Phone: board }), ID: `P${n}` }));
    await atScene({ mapping: basics, rows }, async (scene) => {
      expect(await scene.import()).toMatchObject({ code: 0, rows: { created: 1, folded: 7 } });
    });
  });
});

function lowerTags(file: readonly Readonly<Record<string, string>>[] | undefined): object[] {
  return (file ?? []).map((line) => ({ ...line, tags: line.tags?.toLowerCase() }));
}
