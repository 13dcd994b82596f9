import { expect, it } from 'vitest';
import { realImport } from './real-import.ts';

const mapping = `mapping: twice
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  email: { from: Email }
comments:
  - { name: note, text: "{Note}" }
  - { name: call, key: Call, text: "{Called}" }
`;

const header = 'Id,Name,Email,Note,Call,Called';
const one = '1,Ada,ada@example.test,Wants a quote,7,Not at home';
const two = '2,Ada,ada@example.test,Wants a quote,8,Not at home';
const three = '3,Ada,ada@example.test,Wants a quote,,';

const commentsIn = (log: readonly { readonly path: string; readonly body?: unknown }[]) =>
  log.filter(({ path }) => path.endsWith('/comment')).map(({ body }) => JSON.stringify(body));

it('a comment that two rows of one person have is sent once, in whatever order later files have them', async () => {
  const real = await realImport(mapping, [header, one, two]);
  const sent = () => commentsIn(real.sandbox.log);
  const { file } = await real.plan();
  expect(file.prepare("SELECT count(*) FROM request WHERE path LIKE '%/comment'").pluck().get()).toBe(3);
  await real.import();
  const codes = real.events.flatMap((event) =>
    event.kind === 'row' ? event.problems.map(({ code }) => code) : [],
  );
  expect(codes).toEqual(['identity.folded', 'comments.repeated']);
  const first = sent();
  expect(first.filter((body) => body.includes('Wants a quote'))).toHaveLength(1);
  // Comments with keys of their own are two comments, whatever their texts are.
  expect(first.filter((body) => body.includes('Not at home'))).toHaveLength(2);
  for (const lines of [[two, one], [two], [three, one], [three]]) {
    real.write([header, ...lines]);
    await real.import();
    expect(sent()).toEqual(first);
  }
});

it.each([
  ['no key', mapping.replace('key: Id\n', ''), one, two],
  ['the same key', mapping, one, two.replace('2,', '1,')],
])(
  'a comment that rows with %s have is sent once, and each further one is reported',
  async (_, rules, ...rows) => {
    const real = await realImport(rules, [header, ...rows]);
    const repeated = () =>
      real.events.flatMap((event) =>
        event.kind === 'row' ? event.problems.filter(({ code }) => code === 'comments.repeated') : [],
      );
    await real.import();
    expect(commentsIn(real.sandbox.log).filter((body) => body.includes('Wants a quote'))).toHaveLength(1);
    expect(repeated()).toHaveLength(1);
    await real.import();
    expect(repeated()).toEqual([]);
  },
);
