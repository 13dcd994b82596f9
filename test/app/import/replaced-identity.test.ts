import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hint } from '../../../src/model/command.ts';
import { AccessDeniedError } from '../../../src/model/fatal-error.ts';
import { type RealImport, realImport } from './real-import.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: name }
  email: { from: email }
  phone: { from: phone, country: MY }
`;

const settings = ['  policy: { lookup: single }', '  limits: { attempts: 1 }'];

/** Imports; the look-up of that e-mail is denied, so that its row stays open. */
async function importDenied(real: RealImport, email: string): Promise<void> {
  const stop = new AbortController();
  const workspace = real.open(stop.signal);
  const denied = workspace.through((live) => (endpoint, asked, options) => {
    if (asked.path?.includes(encodeURIComponent(email)) === true)
      throw new AccessDeniedError('denied', { final: false, next: hint`Ask for the permission.` });
    return live(endpoint, asked, options);
  });
  await real.import({ stop, workspace: { ...denied, close: (end) => workspace.close(end) } });
}

/** Another machine of a fleet has the journal only, and scans the input again. */
function loseIndex(real: RealImport): void {
  const spool = join(real.folder, 'work', 'spool');
  for (const name of readdirSync(spool)) rmSync(join(spool, name), { recursive: true });
}

it('an earlier row with the old phone of a later one that failed is held back on another machine, too', async () => {
  const real = await realImport(mapping, ['Id,name,email,phone', '2,Bo,,+60123456785'], settings);
  await real.import();
  real.write(['Id,name,email,phone', '1,Ann,ann@example.test,+60123456785', '2,Bo,,+60123456787']);
  real.sandbox.scriptFault({ kind: '503', method: 'PUT', path: '/contact/*' });
  await importDenied(real, 'ann@example.test');
  expect(real.events).toContainEqual(expect.objectContaining({ kind: 'row', line: 3, outcome: 'failed' }));
  loseIndex(real);
  await real.import();
  expect(real.events.filter(({ kind }) => kind === 'row')).toMatchObject([
    { line: 2, outcome: 'rejected', problems: [{ code: 'identity.conflict' }] },
  ]);
  expect(real.sandbox.contacts()).toMatchObject([{ firstName: 'Bo' }]);
});

it('a phone that the import itself has sent is not taken for replaced on another machine', async () => {
  const rows = ['name,email,phone', 'Ann,c@example.test,+60123456785', 'Bo,f@example.test,+60123456785'];
  const real = await realImport(
    mapping.replace('key: Id\n', ''),
    [...rows, 'Bo,c@example.test,+60123456787'],
    ['  policy: { lookup: single, duplicates: last }'],
  );
  await real.import({ limit: 1 });
  loseIndex(real);
  await real.import();
  expect(real.events).toContainEqual(expect.objectContaining({ kind: 'row', line: 3, outcome: 'created' }));
});
