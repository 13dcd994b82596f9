import { expect, it } from 'vitest';
import { realImport } from '../import/real-import.ts';
import { edit, verify } from './real-verify.ts';

const mapping = `mapping: noted
key: Id
contact:
  firstName: { from: First }
  email: { from: Email }
comments:
  - { name: note, text: "{Note}" }
`;

const lines = ['Id,First,Email,Note', '1,Ann,a@example.com,hello', '2,Bob,b@example.com,there'];

/** An import of two comments, of which the answer to the first one was lost. */
async function imported() {
  const real = await realImport(mapping, lines);
  real.sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', kind: 'dropAfter' });
  const { run } = await real.import();
  return { real, run };
}

it('does not say verified where a comment may have been added or not', async () => {
  const { real } = await imported();
  const { verification, page, lines: found } = await verify(real);
  expect(verification).toMatchObject({
    exitCode: 3,
    contacts: { matched: 2 },
    uncertain: 1,
    cannotVerify: { comments: 1 },
  });
  expect(found.filter(({ verdict }) => verdict === 'uncertain')).toMatchObject([
    { field: 'comments', cause: 'inFlight', written: '1' },
  ]);
  expect(page).toContain('Nothing that can be read back is lost or changed, but 1 comment is uncertain.');
  expect(page).toContain('1 comment is uncertain: the answer was lost, so it may be there or not.');
  expect(page).toContain('>uncertain<');
  expect(page).not.toContain('>verified<');
});

it('counts an uncertain comment once, though two runs have it, and no longer when it was sent again', async () => {
  const { real, run } = await imported();
  await real.import({ selection: { kind: 'retry', run: run.id, resend: false } });
  expect((await verify(real, { all: true })).verification).toMatchObject({ exitCode: 3, uncertain: 1 });
  await real.import({ selection: { kind: 'retry', run: run.id, resend: true } });
  expect((await verify(real)).verification).toMatchObject({ exitCode: 0, uncertain: 0 });
  expect((await verify(real, { all: true })).verification).toMatchObject({
    exitCode: 0,
    uncertain: 0,
    cannotVerify: { comments: 2 },
  });
});

it('says it beside what differs', async () => {
  const { real } = await imported();
  await edit(real, real.sandbox.contacts()[0]?.id ?? 0, { email: 'other@example.com' });
  const { page } = await verify(real);
  expect(page).toContain('Of 2 contacts, 1 differs, 1 comment is uncertain.');
});
