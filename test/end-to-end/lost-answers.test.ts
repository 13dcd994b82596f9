import { expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { atScene, contactOf, contactWith } from './scene.ts';
import {
  allComments,
  attachTags,
  labelled,
  labelOf,
  wholeContact,
  wholeMapping,
  wholeRow,
  wholeSeed,
  wholeWanted,
} from './whole-person.ts';

/** How an answer is lost: with the request, on its way, or behind an error. */
const losses = ['dropBefore', 'dropAfter', '500After'] as const;

type Loss = (typeof losses)[number];

/** The operations on one contact whose answer is lost, by the ending of their path. */
const operations = [
  { name: 'update', method: 'PUT', ending: '' },
  { name: 'lifecycle', method: 'POST', ending: '/lifecycle/update' },
  { name: 'comment', method: 'POST', ending: '/comment' },
  { name: 'assignee', method: 'POST', ending: '/conversation/assignee' },
  { name: 'conversation', method: 'POST', ending: '/conversation/status' },
  { name: 'attach', method: 'POST', ending: '/tag' },
] as const;

interface Person {
  readonly key: string;
  readonly email: string;
  readonly phone: string;
  readonly loss: Loss;
  /** Whom the row leads to; undefined where it creates. */
  readonly id: number | undefined;
  /** What happens to the row's contact, and how it is found wrong. */
  readonly kind: 'existing' | 'created' | 'merged';
  readonly lostAt: { readonly method: string; readonly path: string };
}

function person(
  n: number,
  rest: Pick<Person, 'loss' | 'kind'> & { name: string; method: string; ending: string },
): Person {
  const email = `person${n}@example.com`;
  const id = rest.kind === 'created' ? undefined : 200 + n;
  const path = id === undefined ? `/contact/email:${email}` : `/contact/id:${id}${rest.ending}`;
  const lostAt = { method: rest.method, path: rest.kind === 'merged' ? '/contact/merge' : path };
  const phone = `+120155502${String(n).padStart(2, '0')}`;
  return { key: `${rest.name}-${rest.loss}`, email, phone, loss: rest.loss, id, kind: rest.kind, lostAt };
}

const people: readonly Person[] = losses
  .flatMap((loss) => [
    ...operations.map((operation) => ({ ...operation, loss, kind: 'existing' as const })),
    { name: 'create', method: 'POST', ending: '', loss, kind: 'created' as const },
    { name: 'merge', method: 'POST', ending: '', loss, kind: 'merged' as const },
  ])
  .map((rest, n) => person(n, rest));

/** The other half of a pair that is to be merged. */
const otherHalf = 500;

const contacts = people.flatMap(({ id, email, phone, kind }) => {
  if (id === undefined) return [];
  const older = { id, firstName: 'First', email, created_at: 1_700_000_000 };
  if (kind === 'existing') return [older];
  return [older, { id: id + otherHalf, firstName: 'First', phone, created_at: 1_700_000_001 }];
});

const mapping = wholeMapping.replace(
  '  City: { from: City, type: text, create: true }',
  ['City', 'Town', 'Place'].map((name) => `  ${name}: { from: City, type: text, create: true }`).join('\n'),
);

const tags = ['blue', 'green', 'red'];

it('ends exact, and only comments uncertain, whatever operation loses its answer', async () => {
  const rows = people.map(({ key, email, phone }) => ({
    ...wholeRow(key, { Email: email, Phone: phone }),
    Tags: tags.join(';'),
  }));
  const settings = {
    policy: { onConflict: 'merge' },
    limits: { settle: '2s' },
    extensions: attachTags,
  };
  const seed = { ...wholeSeed, contacts };
  await atScene({ mapping, rows, settings, seed, extensions: { attachTags: true } }, async (scene) => {
    const { sandbox } = scene;
    for (const { lostAt, loss } of people) sandbox.scriptFault({ ...lostAt, kind: loss });
    // Three fields and three tags are made: each loses its answer in another way.
    for (const kind of losses) {
      sandbox.scriptFault({ method: 'POST', path: '/space/custom_field', kind });
      sandbox.scriptFault({ method: 'POST', path: '/space/tag', kind });
      sandbox.scriptFault({ method: 'PUT', path: '/space/tag', kind });
    }

    const report = await scene.import();

    for (const each of people) expectWhole(sandbox, each);
    const counts = sandbox.counts();
    expect(counts['POST /contact/{identifier}']?.applied).toBe(3);
    expect(counts['POST /contact/merge']?.applied).toBe(3);
    expect(counts['POST /space/custom_field']?.applied).toBe(3);
    expect(counts['POST /space/tag']?.applied).toBe(tags.length);
    expect(sandbox.contacts()).toHaveLength(people.length);
    expect(report).toMatchObject({
      code: 3,
      rows: {
        read: people.length,
        uncertain: 3,
        created: 3,
        merged: 3,
        updated: people.length - 9,
        failed: 0,
      },
    });
    const uncertain = report.csv('uncertain.csv') ?? [];
    expect(uncertain.map(({ _key }) => _key).sort()).toEqual(losses.map((loss) => `comment-${loss}`).sort());
    expect(uncertain.map(({ text }) => labelOf(text ?? ''))).toEqual(['origin', 'origin', 'origin']);

    sandbox.resetLog();
    const resent = await scene.retry(report.run, '--resend');
    const silent = people.filter(({ key }) => key.startsWith('comment-'));
    expect(scene.writes().sort()).toEqual(silent.map(({ id }) => `POST /contact/id:${id}/comment`).sort());
    expect(resent.code).toBe(0);
  });
});

/** Everything the row asks for stands there, and each operation on its contact took effect once. */
function expectWhole(sandbox: Sandbox, { key, id, email, phone, loss }: Person): void {
  const found = id === undefined ? contactOf(sandbox, email) : contactWith(sandbox, id);
  expect(wholeContact(found)).toEqual({ ...wholeWanted(key, { email, phone }), tags });
  const isGone = key === 'comment-dropBefore';
  expect(labelled(found), key).toEqual(isGone ? allComments.slice(1) : allComments);
  const effects = new Map<string, number>();
  for (const { path, method, applied } of sandbox.log) {
    if (!applied || !path.startsWith(`/contact/id:${found.id}/`)) continue;
    const operation = `${method} ${path.split('/').slice(3).join('/')}`;
    effects.set(operation, (effects.get(operation) ?? 0) + 1);
  }
  expect(Object.fromEntries(effects), `${key}, ${loss}`).toEqual({
    'POST lifecycle/update': 1,
    'POST comment': isGone ? allComments.length - 1 : allComments.length,
    'POST conversation/assignee': 1,
    'POST conversation/status': 1,
    'POST tag': 1,
  });
}
