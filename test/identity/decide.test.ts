import { describe, expect, it } from 'vitest';
import { decide, type OnMatch } from '../../src/identity/decide.ts';
import type { Found } from '../../src/identity/look-up.ts';
import { contact } from './contact.ts';

const one = contact(1);
const two = contact(2);

const found = {
  nobody: [],
  byEmail: [{ by: 'email', contact: one }],
  byPhone: [{ by: 'phone', contact: one }],
  sameByBoth: [
    { by: 'email', contact: one },
    { by: 'phone', contact: contact(1) },
  ],
  two: [
    { by: 'email', contact: one },
    { by: 'phone', contact: two },
  ],
} as const satisfies Readonly<Record<string, Found>>;

const create = { kind: 'create' };
const skip = { kind: 'skip', contact: one };
const update = { kind: 'update', contact: one, only: 'changed' };
const fill = { kind: 'update', contact: one, only: 'empty' };
const exists = { kind: 'reject', contact: one, problem: { code: 'identity.exists', column: null } };
const conflict = { kind: 'reject', contact: one, problem: { code: 'identity.conflict', column: null } };

const table: readonly (readonly [keyof typeof found, OnMatch, object])[] = [
  ['nobody', 'update', create],
  ['nobody', 'fill', create],
  ['nobody', 'skip', create],
  ['nobody', 'reject', create],
  ['byEmail', 'update', update],
  ['byEmail', 'fill', fill],
  ['byEmail', 'skip', skip],
  ['byEmail', 'reject', exists],
  ['byPhone', 'update', update],
  ['byPhone', 'fill', fill],
  ['byPhone', 'skip', skip],
  ['byPhone', 'reject', exists],
  ['sameByBoth', 'update', update],
  ['sameByBoth', 'fill', fill],
  ['sameByBoth', 'skip', skip],
  ['sameByBoth', 'reject', exists],
  ['two', 'update', conflict],
  ['two', 'fill', conflict],
  ['two', 'skip', skip],
  ['two', 'reject', exists],
];

describe('a decision', () => {
  it.each(table)('where %s is found, under %s', (who, onMatch, decision) => {
    expect(decide(found[who], onMatch)).toMatchObject(decision);
  });

  it('to reject names both contacts and how each was found', () => {
    expect(decide(found.two, 'update')).toMatchObject({
      problem: { reason: expect.stringContaining('the e-mail is contact 1, the phone is contact 2') },
    });
  });
});
