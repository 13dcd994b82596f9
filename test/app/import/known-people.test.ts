import { describe, expect, it } from 'vitest';
import type { ImportContext } from '../../../src/app/import/context.ts';
import type { TransportResponse } from '../../../src/model/ports.ts';
import { errorAnswer } from '../../workspace/open.ts';
import { type Scene, scene, scope, settleMs, stepsOf } from './context.ts';
import { rowOf } from './input.ts';
import { fieldsOf } from './simulation/map-row.ts';
import { type Manners, ModelWorkspace } from './simulation/model-workspace.ts';
import { plain } from './simulation/plain.ts';
import { outcomesOf, problemsOf, type Walk, walkRows } from './walk.ts';

type Cells = Readonly<Record<string, string>>;

const manners: Manners = {
  existing: 'duplicate',
  arrays: 'replace',
  processingMs: 3_000,
  slow: 404,
  merged: 'gone',
};

const ada = { Key: 'A', firstName: 'Ada', email: 'ada@example.test' };

/** Imports of one pipeline into a model of a workspace, one after the other. */
class Imports {
  readonly model = new ModelWorkspace(manners, [
    { id: 1, name: 'Score', dataType: 'number' },
    { id: 3, name: 'Note', dataType: 'text' },
  ]);
  readonly it: Scene;
  #context: ImportContext | undefined;
  #from = 0;
  #comments: TransportResponse | undefined;

  constructor(more: Partial<ImportContext> = {}) {
    this.it = scene((request, whole, now) => {
      const other = request.endsWith('/comment') ? this.#comments : undefined;
      return other ?? this.model.handle(whole, now);
    }, more);
  }

  /** Lets the workspace answer comments like this, without adding them; undefined: as it does. */
  answersComments(status: number | undefined, message = ''): void {
    this.#comments = status === undefined ? undefined : errorAnswer(status, message);
  }

  plant(cells: Cells): void {
    this.model.plant(plain(fieldsOf(Object.entries(cells))));
  }

  /** Runs over rows, the first at line 2; says how they ended. */
  async run(rows: readonly Cells[], walk: Walk = {}, more: Partial<ImportContext> = {}) {
    const items = rows.map((cells, n) => rowOf(n + 2, cells));
    this.#context = this.it.next(more);
    this.#from = this.it.sent.length;
    await this.it.run(walkRows(this.it, this.#context, items, walk));
    return this.ended;
  }

  /** The outcomes of the last run. */
  get ended(): readonly string[] {
    return this.#context === undefined ? [] : outcomesOf(this.it, this.#context);
  }

  get problems() {
    return this.#context === undefined ? [] : problemsOf(this.it, this.#context);
  }

  /** The requests of the last run that change something. */
  get writes(): readonly string[] {
    return this.it.sent.slice(this.#from).filter((request) => !request.startsWith('GET'));
  }

  /** What the last run asked and changed. */
  get requests(): readonly string[] {
    return this.it.sent.slice(this.#from);
  }

  get people() {
    return [...this.model.people.values()];
  }

  /** Long enough for a new contact to be readable. */
  async later(): Promise<void> {
    await this.it.world.pass(settleMs);
  }
}

describe('another run over the same rows', () => {
  it('asks nothing of people of whom nothing has changed', async () => {
    const imports = new Imports();
    expect(await imports.run([{ ...ada, Stage: 'Lead', origin: 'hello' }])).toEqual(['created']);
    expect(await imports.run([{ ...ada, Stage: 'Lead', origin: 'hello' }])).toEqual(['unchanged']);
    expect(imports.requests).toEqual([]);
  });

  it('sends the fields whose source changed, and leaves what people edited since', async () => {
    const imports = new Imports();
    await imports.run([{ ...ada, lastName: 'Byron', Score: '1', Note: 'old' }]);
    await imports.later();
    const [person] = imports.people;
    if (person === undefined) throw new Error('nobody was created');
    const { fields, custom } = person.now;
    person.now = {
      ...person.now,
      fields: { ...fields, lastName: 'King' },
      custom: { ...custom, Note: 'edited' },
    };
    expect(await imports.run([{ ...ada, lastName: 'Byron', Score: '2', Note: 'old' }])).toEqual(['updated']);
    expect(imports.writes).toEqual(['PUT /contact/id:101']);
    expect(person.now.fields.lastName).toBe('King');
    expect(person.now.custom).toEqual({ Score: 2, Note: 'edited' });
  });

  it('finds a person whose e-mail changed by the key, though the contact’s id was never met', async () => {
    const imports = new Imports();
    await imports.run([ada]);
    await imports.later();
    expect(await imports.run([{ ...ada, email: 'ada@new.test' }])).toEqual(['updated']);
    expect(imports.people.map(({ now }) => now.fields.email)).toEqual(['ada@new.test']);
  });

  it('right after the first one waits for a person who cannot be read yet, also under a new e-mail', async () => {
    const imports = new Imports();
    await imports.run([ada]);
    expect(await imports.run([{ ...ada, email: 'ada@new.test' }])).toEqual(['updated']);
    expect(imports.people.map(({ now }) => now.fields.email)).toEqual(['ada@new.test']);
  });

  it('right after the first one waits for a person who cannot be read yet, though another one has the phone', async () => {
    const imports = new Imports();
    const phone = '+60123456789';
    imports.plant({ firstName: 'Ben', email: 'ben@example.test', phone });
    expect(await imports.run([{ ...ada, phone }])).toEqual(['created']);
    expect(await imports.run([{ ...ada, phone, Note: 'new' }])).toEqual(['updated']);
    expect(imports.people.map(({ now }) => [now.fields.firstName, now.custom.Note])).toEqual([
      ['Ben', undefined],
      ['Ada', 'new'],
    ]);
  });

  it('adds the new comments of a contact whom the journal remembers, and none that was left out', async () => {
    const imports = new Imports();
    imports.plant(ada);
    expect(await imports.run([{ ...ada, lastName: 'Byron', origin: 'before' }])).toEqual(['updated']);
    expect(imports.problems).toMatchObject([{ code: 'comments.left' }]);
    expect(await imports.run([{ ...ada, lastName: 'Byron', origin: 'before', story: 'new' }])).toEqual([
      'updated',
    ]);
    expect(imports.people.map(({ comments }) => comments)).toEqual([['new']]);
  });

  it('sends the comments that were left out, once, when the mapping sends them to contacts who were there', async () => {
    const imports = new Imports();
    imports.plant(ada);
    const sends = { steps: stepsOf({ comments: { existing: 'send', entries: [] } }) };
    const row = { ...ada, origin: 'before', story: 'before, too' };
    await imports.run([row]);
    expect(imports.problems).toMatchObject([{ code: 'comments.left' }, { code: 'comments.left' }]);
    expect(await imports.run([row])).toEqual(['unchanged']);
    expect(await imports.run([row], {}, sends)).toEqual(['updated']);
    expect(await imports.run([row], {}, sends)).toEqual(['unchanged']);
    expect(await imports.run([row])).toEqual(['unchanged']);
    expect(imports.people.map(({ comments }) => comments)).toEqual([['before', 'before, too']]);
  });

  it('sends no comment that was left out if another row of the person has sent the same one', async () => {
    const imports = new Imports();
    imports.plant(ada);
    const sends = { steps: stepsOf({ comments: { existing: 'send', entries: [] } }) };
    await imports.run([{ ...ada, origin: 'the same' }]);
    await imports.run([{ ...ada, Key: 'B', origin: 'the same' }], {}, sends);
    await imports.run([{ ...ada, origin: 'the same' }], {}, sends);
    expect(imports.people.map(({ comments }) => comments)).toEqual([['the same']]);
  });

  it('says that an edited comment is not sent again', async () => {
    const imports = new Imports();
    await imports.run([{ ...ada, origin: 'one' }]);
    expect(await imports.run([{ ...ada, origin: 'another' }])).toEqual(['unchanged']);
    expect(imports.problems).toMatchObject([{ code: 'comments.edited' }]);
    expect(imports.people.map(({ comments }) => comments)).toEqual([['one']]);
  });

  it('compares everything where that is asked for', async () => {
    const imports = new Imports();
    await imports.run([{ ...ada, lastName: 'Byron' }]);
    await imports.later();
    const [person] = imports.people;
    if (person === undefined) throw new Error('nobody was created');
    person.now = { ...person.now, fields: { ...person.now.fields, lastName: 'King' } };
    const full = { scope: { ...scope, full: true } };
    expect(await imports.run([{ ...ada, lastName: 'Byron' }], {}, full)).toEqual(['updated']);
    expect(person.now.fields.lastName).toBe('Byron');
  });
});

describe('a key that was given to another person', () => {
  it('overwrites no contact through a row of it that has no name', async () => {
    const imports = new Imports();
    await imports.run([{ Key: '1', firstName: 'Anna', email: 'anna@example.test' }]);
    await imports.later();
    const ended = await imports.run([
      { Key: '1', firstName: 'Otto', email: 'otto@example.test' },
      { Key: '1', email: 'otto@example.test', Note: 'calls back' },
    ]);
    expect(ended).not.toContain('updated');
    expect(imports.people.map(({ now }) => [now.fields.firstName, now.fields.email])).toContainEqual([
      'Anna',
      'anna@example.test',
    ]);
  });
});

describe('people without a key', () => {
  it('who share a switchboard are different people, also where the mapping identifies by phone first', async () => {
    const policy = {
      onMatch: 'update',
      onDeleted: 'skip',
      onConflict: 'review',
      samePerson: 'evidence',
      unsure: 'review',
      identify: ['phone', 'email'],
      switchboard: 1,
      exclusive: false,
    } as const;
    const imports = new Imports({ policy });
    const rows = ['Ada', 'Bob', 'Cy'].map((firstName) => ({
      firstName,
      email: `${firstName}@example.test`.toLowerCase(),
      phone: '+60123456789',
    }));
    expect(await imports.run(rows, { switchboard: 1 })).toEqual(['created', 'created', 'created']);
    await imports.later();
    const changed = rows.map((row) => ({ ...row, Note: row.firstName }));
    expect(await imports.run(changed, { switchboard: 1 })).toEqual(['updated', 'updated', 'updated']);
    const names = imports.people.map(({ now }) => [now.fields.firstName, now.custom.Note]);
    expect(names).toEqual(rows.map(({ firstName }) => [firstName, firstName]));
  });

  it.each([
    ['as in the file', [0, 1]],
    ['the other way round', [1, 0]],
  ] as const)('do not overwrite each other where one takes the e-mail of another, %s', async (_, order) => {
    const phone = '+60123456789';
    const imports = new Imports();
    await imports.run([{ firstName: 'Ann', email: 'b@example.test', phone }]);
    await imports.later();
    const rows = [
      { firstName: 'Ann', email: 'g@example.test', phone },
      { firstName: 'Bo', email: 'b@example.test', phone },
    ];
    const ended = await imports.run(order.map((n) => rows[n] ?? {}));
    expect(order.map((n) => ended[n])).toEqual(['updated', 'proposed']);
    expect(imports.people.map(({ now: { fields } }) => [fields.firstName, fields.email])).toEqual([
      ['Ann', 'g@example.test'],
    ]);
    const asked = imports.problems.find(({ code }) => code === 'identity.ask')?.reason;
    expect(asked).toContain('(same e-mail and phone; the names have nothing in common)');
  });

  it('who are left out as duplicates are still in the input', async () => {
    const imports = new Imports();
    const one = { firstName: 'Ada', email: 'ada@example.test', phone: '+60123456789' };
    const other = { firstName: 'Ada', email: 'ada@other.test', phone: '+60123456789' };
    await imports.run([one, other]);
    await imports.run([one, other], { duplicates: 'first' });
    const { file, journal } = imports.it;
    const runs = file.prepare<[], number>('SELECT run FROM known').pluck().all();
    expect(new Set(runs)).toEqual(new Set([journal.run.number + 2]));
  });
});

describe('a contact that a run has created before it was given up', () => {
  it('is ours for the next run, which brings everything that belongs to it', async () => {
    const imports = new Imports();
    const rows = [{ ...ada, origin: 'hello', Conversation: 'closed' }];
    const { clock } = imports.it.context;
    // The process stands still for ever when it waits for the new contact.
    const forever = { now: () => clock.now(), sleep: () => new Promise<void>(() => undefined) };
    await expect(imports.run(rows, {}, { clock: forever })).rejects.toThrow('nothing is left to wait for');
    expect(imports.ended).toEqual([]);
    await imports.later();
    expect(await imports.run(rows)).toEqual(['updated']);
    expect(imports.people.map(({ comments, now }) => [comments, now.status])).toEqual([
      [['hello'], 'closed'],
    ]);
  });
});

describe('held steps', () => {
  const held = { hold: new Set(['lifecycle']) };

  it('are done by a run of their own, and nothing else is', async () => {
    const imports = new Imports({ scope: { ...scope, ...held } });
    await imports.run([{ ...ada, Stage: 'Lead' }]);
    await imports.later();
    expect(imports.writes).toEqual(['POST /contact/email:ada@example.test']);
    const phase = { scope: { ...scope, ...held, deferredOnly: true } };
    expect(
      await imports.run([{ ...ada, Stage: 'Lead', lastName: 'Byron' }], { selected: [0] }, phase),
    ).toEqual(['updated']);
    expect(imports.writes).toEqual(['POST /contact/id:101/lifecycle/update']);
  });

  it('of a contact who is gone create nobody', async () => {
    const imports = new Imports({ scope: { ...scope, ...held } });
    await imports.run([{ ...ada, Stage: 'Lead' }]);
    await imports.later();
    imports.model.people.clear();
    const phase = { scope: { ...scope, ...held, deferredOnly: true } };
    await imports.run([{ ...ada, Stage: 'Lead' }], { selected: [0] }, phase);
    expect(imports.writes).toEqual([]);
  });
});

describe('a merge', () => {
  it('leaves the value that its keep rule says, in the end, too', async () => {
    const keep = { contact: { lastName: { keep: 'first', join: '; ' } }, customFields: {} } as const;
    const policy = {
      onMatch: 'update',
      onDeleted: 'skip',
      onConflict: 'merge',
      samePerson: 'evidence',
      unsure: 'review',
      identify: ['email', 'phone'],
      switchboard: 5,
      exclusive: false,
    } as const;
    const imports = new Imports({ policy, keep });
    imports.plant({ firstName: 'Ada', email: ada.email, lastName: 'Older' });
    imports.plant({ firstName: 'Ada', phone: '+60123456789', lastName: 'Newer' });
    expect(await imports.run([{ ...ada, phone: '+60123456789', lastName: 'Row' }])).toEqual(['merged']);
    expect(imports.people.map(({ now }) => now.fields.lastName)).toEqual(['Older']);
  });
});

describe('a run about some rows', () => {
  it('leaves the other rows of their people out of its outcomes', async () => {
    const rows = ['Ada', 'A.'].map((firstName) => ({ firstName, email: ada.email }));
    for (const [duplicates, wanted] of [
      ['merge', ['created']],
      ['first', ['created']],
      ['reject', ['rejected']],
    ] as const) {
      const imports = new Imports();
      expect(await imports.run(rows, { selected: [0], duplicates })).toEqual(wanted);
    }
  });
});

describe('a comment', () => {
  it('that was refused is sent when its text was fixed', async () => {
    const imports = new Imports();
    imports.answersComments(400, 'Validation error.');
    expect(await imports.run([{ ...ada, origin: 'wrong', farewell: 'after' }])).toEqual(['failed']);
    imports.answersComments(undefined);
    await imports.later();
    expect(await imports.run([{ ...ada, origin: 'fixed', farewell: 'after' }])).toEqual(['updated']);
    expect(imports.people.map(({ comments }) => comments)).toEqual([['fixed', 'after']]);
  });

  it('that may be there is not called edited when another run leaves it alone', async () => {
    const imports = new Imports();
    imports.answersComments(500, 'Unexpected error occurred');
    expect(await imports.run([{ ...ada, origin: 'hello' }])).toEqual(['uncertain']);
    await imports.run([{ ...ada, origin: 'hello' }]);
    expect(imports.problems.map(({ code }) => code)).not.toContain('comments.edited');
  });

  it('that may be there is left alone by a retry, which lists it, and sent again where that is asked for', async () => {
    const imports = new Imports();
    imports.answersComments(500, 'Unexpected error occurred');
    await imports.run([{ ...ada, origin: 'hello', farewell: 'bye' }]);
    imports.answersComments(undefined);
    await imports.later();
    const uncertain = () =>
      imports.it.file.prepare("SELECT count(*) FROM step WHERE state = 'uncertain'").pluck().get();
    expect(uncertain()).toBe(2);
    const rows = [{ ...ada, origin: 'hello', farewell: 'bye' }];
    const retrying = { scope: { ...scope, retrying: true } };
    expect(await imports.run(rows, { selected: [0] }, retrying)).toEqual(['uncertain']);
    expect(imports.writes).toEqual([]);
    expect(uncertain()).toBe(4);
    const resend = { scope: { ...scope, retrying: true, resend: true } };
    expect(await imports.run(rows, { selected: [0] }, resend)).toEqual(['updated']);
    expect(imports.people.map(({ comments }) => comments)).toEqual([['hello', 'bye']]);
    expect(await imports.run(rows, { selected: [0] }, resend)).toEqual(['unchanged']);
    expect(imports.requests).toEqual([]);
  });

  it('that fails holds back those after it, and nothing else of its row', async () => {
    const imports = new Imports();
    imports.answersComments(400, 'Validation error.');
    expect(await imports.run([{ ...ada, origin: 'one', farewell: 'two', Owner: '2' }])).toEqual(['failed']);
    const last = imports.writes.map((request) => request.split('/').at(-1));
    expect(last.filter((what) => what === 'comment')).toHaveLength(1);
    expect(imports.people.map(({ now }) => now.assignee)).toEqual([2]);
  });
});
