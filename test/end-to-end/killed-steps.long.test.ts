import { describe, expect, it } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/index.ts';
import { isLong, some } from '../long.ts';
import { killedUntilFinal } from './killed-until-final.ts';
import { type KillPoint, type Moment, moments, ProcessKiller } from './process-killer.ts';
import { atScene, contactOf, contactWith, type Report, type Scene } from './scene.ts';
import {
  allComments,
  attachTags,
  labelled,
  labelOf,
  story,
  wholeContact,
  wholeMapping,
  wholeRow,
  wholeSeed,
  wholeWanted,
  wordsOf,
} from './whole-person.ts';

const identifiers = { Email: 'ada@example.com', Phone: '+12015550101' };
const wanted = wholeWanted('A7', { email: identifiers.Email, phone: identifiers.Phone });

const contact = '/contact/{identifier}';
const create: KillPoint = { method: 'POST', template: contact };
const update: KillPoint = { method: 'PUT', template: contact };
const merge: KillPoint = { method: 'POST', template: '/contact/merge' };
/** The second comment of five: the first part of the long one. */
const comment: KillPoint = { method: 'POST', template: `${contact}/comment`, nth: 2 };

/** A tag is looked for before it is made, and there are two of them. */
const others: readonly KillPoint[] = [
  { method: 'PUT', template: '/space/tag' },
  { method: 'POST', template: '/space/tag', nth: 2 },
];

/** Every step of a person who is not there, and of the run before it. */
const stepsOfCreate: readonly KillPoint[] = [
  { method: 'POST', template: '/space/custom_field' },
  { method: 'POST', template: '/space/tag' },
  ...(isLong ? others : []),
  create,
  { method: 'POST', template: `${contact}/lifecycle/update` },
  comment,
  { method: 'POST', template: `${contact}/conversation/assignee` },
  { method: 'POST', template: `${contact}/conversation/status` },
  { method: 'POST', template: `${contact}/tag` },
];

interface Play {
  readonly moment: Moment;
  readonly strokes: readonly KillPoint[];
  readonly contacts?: NonNullable<Parameters<Sandbox['add']>[0]['contacts']>;
  readonly policy?: Readonly<Record<string, string>>;
  readonly settle?: string;
  readonly more?: SandboxOptions;
}

/** One person, an import that is killed at every stroke, and the scene with its report in the end. */
async function killed(
  { moment, strokes, contacts = [], policy = {}, settle = '2s', more }: Play,
  then: (scene: Scene, report: Report) => Promise<void> | void,
): Promise<void> {
  const killer = new ProcessKiller(moment, strokes);
  await atScene(
    {
      mapping: wholeMapping,
      rows: [wholeRow('A7', identifiers)],
      settings: { policy, limits: { settle }, extensions: attachTags },
      seed: { ...wholeSeed, contacts },
      extensions: { attachTags: true },
      onPhase: killer.onPhase,
      ...more,
    },
    async (scene) => then(scene, await killedUntilFinal(scene, killer)),
  );
}

/** How often each operation took effect. */
function effects(sandbox: Sandbox): Record<string, number> {
  const counts = Object.entries(sandbox.counts());
  return Object.fromEntries(
    counts
      // That a tag is there is asked with a PUT, which may be asked again.
      .filter(([operation, { applied }]) => applied > 0 && operation !== 'PUT /space/tag')
      .map(([operation, { applied }]) => [operation, applied]),
  );
}

const stepsOnce = {
  'POST /contact/{identifier}/lifecycle/update': 1,
  'POST /contact/{identifier}/conversation/assignee': 1,
  'POST /contact/{identifier}/conversation/status': 1,
  'POST /contact/{identifier}/tag': 1,
  'POST /contact/{identifier}/comment': allComments.length,
  'POST /space/custom_field': 1,
  'POST /space/tag': 2,
};

const withoutUncertain = allComments.filter((label) => label !== 'story 1/3');

const tried = moments.filter((moment) => isLong || moment === 'applied');

/** How it is with others meanwhile: under `exclusive` nobody is looked up before they are created. */
const policies = {
  shared: {},
  exclusive: { workspace: 'exclusive', lookup: 'snapshot' },
} as const;

/** Each moment under each policy; those of `few` policies in `npm test`. */
const triedUnder = (few: readonly (keyof typeof policies)[]) =>
  tried.flatMap((moment) =>
    (['shared', 'exclusive'] as const)
      .filter((policy) => isLong || few.includes(policy))
      .map((policy) => [moment, policy] as const),
  );

describe('an import killed inside every step of one person and continued each time', () => {
  it.concurrent.each(triedUnder(['shared']))(
    'takes every effect once, killed when the request was %s, %s',
    async (moment, under) => {
      await killed({ moment, strokes: stepsOfCreate, policy: policies[under] }, async (scene, report) => {
        const { sandbox } = scene;
        const arrived = moment !== 'lost';
        expect(wholeContact(contactOf(sandbox, identifiers.Email))).toEqual(wanted);
        expect(effects(sandbox)).toEqual({
          ...stepsOnce,
          'POST /contact/{identifier}': 1,
          'POST /contact/{identifier}/comment': allComments.length - (arrived ? 0 : 1),
        });
        const before = arrived ? allComments : withoutUncertain;
        expect(labelled(contactOf(sandbox, identifiers.Email))).toEqual(before);
        expect(report).toMatchObject({
          code: 3,
          outcome: 'finished',
          rows: { read: 1, uncertain: 1, created: 0 },
        });
        expectUncertain(scene, report.csv('uncertain.csv'));

        sandbox.resetLog();
        const resent = await scene.retry(report.run, '--resend');
        const { id } = contactOf(sandbox, identifiers.Email);
        expect(scene.writes()).toEqual([`POST /contact/id:${id}/comment`]);
        expect(labelled(contactOf(sandbox, identifiers.Email))).toEqual([...before, 'story 1/3']);
        expect(resent.code).toBe(0);
        expect(resent.csv('uncertain.csv')).toBeUndefined();

        sandbox.resetLog();
        expect(await scene.import()).toMatchObject({ code: 0, rows: { read: 1, unchanged: 1 } });
        expect(scene.writes()).toEqual([]);
      });
    },
    240_000,
  );

  it.concurrent('leaves a comment uncertain under a retry without --resend', async () => {
    await killed({ moment: 'applied', strokes: [comment] }, async (scene, report) => {
      scene.sandbox.resetLog();
      const retried = await scene.retry(report.run);
      expect(scene.writes()).toEqual([]);
      expect(retried).toMatchObject({ code: 3, rows: { read: 1, uncertain: 1 } });
      expectUncertain(scene, retried.csv('uncertain.csv'));
    });
  });

  it.concurrent.each(tried)('updates once, killed when the update was %s', async (moment) => {
    const contacts = [{ id: 71, firstName: 'First', email: identifiers.Email }];
    await killed({ moment, strokes: [update], contacts }, ({ sandbox }, report) => {
      expect(wholeContact(contactWith(sandbox, 71))).toEqual(wanted);
      expect(effects(sandbox)).toEqual({ ...stepsOnce, 'PUT /contact/{identifier}': 1 });
      expect(labelled(contactWith(sandbox, 71))).toEqual(allComments);
      expect(wordsOf(contactWith(sandbox, 71))).toBe(story);
      expect(report).toMatchObject({ code: 0, rows: { read: 1, updated: 1, uncertain: 0 } });
      expect(report.csv('uncertain.csv')).toBeUndefined();
    });
  });

  it.concurrent.each(tried)('merges once, killed when the merge was %s', async (moment) => {
    const contacts = [
      { id: 71, firstName: 'First', email: identifiers.Email, created_at: 1_700_000_000 },
      { id: 72, firstName: 'F.', phone: identifiers.Phone, created_at: 1_700_000_001 },
    ];
    const policy = { onConflict: 'merge' };
    await killed({ moment, strokes: [merge], contacts, policy }, ({ sandbox }, report) => {
      expect(sandbox.contacts().map(({ id }) => id)).toEqual([71]);
      expect(wholeContact(contactWith(sandbox, 71))).toEqual(wanted);
      expect(effects(sandbox)).toMatchObject({ ...stepsOnce, 'POST /contact/merge': 1 });
      expect(labelled(contactWith(sandbox, 71))).toEqual(allComments);
      expect(report).toMatchObject({ code: 0, rows: { read: 1, merged: 1, uncertain: 0 } });
    });
  });

  it.concurrent.each(
    some([
      ['lost', allComments],
      ['applied', ['origin', 'story 1/3', 'story 1/3', 'story 2/3', 'story 3/3', 'farewell']],
    ] as const),
  )('sends a comment again under uncertain: resend, %s', async (moment, comments) => {
    const policy = { uncertain: 'resend' };
    await killed({ moment, strokes: [comment], policy }, ({ sandbox }, report) => {
      expect(labelled(contactOf(sandbox, identifiers.Email))).toEqual(comments);
      if (moment === 'lost') expect(wordsOf(contactOf(sandbox, identifiers.Email))).toBe(story);
      expect(report).toMatchObject({ code: 0, rows: { read: 1, created: 1, uncertain: 0 } });
      expect(report.csv('uncertain.csv')).toBeUndefined();
    });
  });

  it.concurrent.each(triedUnder(['shared', 'exclusive']))(
    'creates once, %s, where a new contact cannot be seen at once, %s',
    async (moment, under) => {
      const more = { processingMs: 1_500, existing: 'duplicate' as const };
      const play = { moment, strokes: [create], settle: '4s', more, policy: policies[under] };
      await killed(play, ({ sandbox }, report) => {
        expect(wholeContact(contactOf(sandbox, identifiers.Email))).toEqual(wanted);
        expect(effects(sandbox)).toEqual({ ...stepsOnce, 'POST /contact/{identifier}': 1 });
        expect(report).toMatchObject({ code: 0, rows: { read: 1, created: 1, uncertain: 0 } });
      });
    },
  );
});

function expectUncertain({ sandbox }: Scene, lines: ReturnType<Report['csv']>): void {
  const { id } = contactOf(sandbox, identifiers.Email);
  expect(lines).toMatchObject([{ _line: '2', _key: 'A7', contactId: String(id) }]);
  const [line] = lines ?? [];
  expect(Object.keys(line ?? {})).toEqual([
    'resend',
    '_run',
    '_line',
    '_key',
    'contactId',
    'identifier',
    'step',
    'text',
    'sentAt',
  ]);
  expect(labelOf(line?.text ?? '')).toBe('story 1/3');
  expect(Date.parse(line?.sentAt ?? '')).toBeGreaterThan(Date.now() - 600_000);
}
