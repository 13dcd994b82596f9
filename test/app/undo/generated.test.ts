import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLong } from '../../long.ts';
import { caseSeed } from '../../source-seed.ts';
import { type Case, cases, everyDecision } from '../plan/cases.ts';
import { type Tally, undoesWhatWasImported } from './generated.ts';

const seed = caseSeed();
const numRuns = isLong ? 50 : 5;

it(`an undo gives the workspace as it was before the import (${numRuns} cases, seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const tally: Tally = new Map();
  const takesBack = fc.asyncProperty(cases, (one) => undoesWhatWasImported(one, tally));
  await fc.assert(takesBack, { seed, numRuns, examples: [[everyDecision]], endOnFailure: true });
  const rare = isLong ? ['merge', 'contactTags', 'customField'] : [];
  for (const what of ['put back', 'sent again', 'edited', 'contact', 'comment', ...rare])
    expect(tally.get(what) ?? 0, `${what} in ${JSON.stringify([...tally])}`).toBeGreaterThan(0);
});

const rowsBefore = [
  'Id,name,email,phone,plan,tags,stage,owner,note',
  '1,ANN,b@example.test,+60123456789,gold,old,New Lead,,',
  '2,A.,h@example.test,+60123456788,,vip;new,Customer,2,called',
  '3,Bo,b@example.test,+60123456789,gold,vip;new,Customer,2,wrote',
  '4,Ann,,+60123456786,silver,vip,New Lead,1,wrote',
];

/** Rows without keys: in the later file one leads to a contact by its phone, and another one by its e-mail. */
const rowsWithoutKeys: Case = {
  mapping: `mapping: generated
contact:
  firstName: { from: name, default: Unknown }
  email: { from: email, onInvalid: reject }
  phone: { from: phone, country: MY, onInvalid: drop }
customFields:
  Plan: { from: plan, type: list, allowed: [gold, silver], onInvalid: drop }
tags: { from: tags, split: ";", attach: file }
lifecycle: { from: stage }
assignee: { from: owner }
conversation: { status: closed, existing: false }
comments:
  existing: skip
  entries: [{ name: note, text: "{note}" }]
`,
  settings: [
    '  policy: { onMatch: update, onConflict: review, duplicates: reject, lookup: auto, maxErrors: 100% }',
    '  extensions: { attachTags: { method: POST, path: "/contact/{identifier}/tag", body: tags } }',
    '  limits: { settle: 2s, concurrency: 1 }',
  ],
  rows: rowsBefore,
  later: [
    'Id,name,email,phone,plan,tags,stage,owner,note',
    '1,ANN,a@example.test,+60123456788,,old,,1,called',
    '2,ANN,g@example.test,+60123456789,none of these,,New Lead,1,called',
    ...rowsBefore.slice(3),
  ],
  seed: {
    contacts: [
      {
        id: 10,
        created_at: 1700000000,
        firstName: 'B.',
        email: 'j@example.test',
        phone: '+60123456781',
        lifecycle: 'Customer',
        custom_fields: [{ name: 'Plan', value: 'gold' }],
      },
      {
        id: 11,
        created_at: 1700000001,
        firstName: 'Bo',
        email: 'i@example.test',
        lifecycle: 'Customer',
        custom_fields: [{ name: 'Plan', value: 'silver' }],
      },
      {
        id: 12,
        created_at: 1700000002,
        firstName: 'B.',
        email: 'j@example.test',
        phone: '+60123456786',
        custom_fields: [{ name: 'Plan', value: 'silver' }],
      },
      { id: 13, created_at: 1700000003, firstName: 'B.', email: 'a@example.test', phone: '+60123456785' },
    ],
    customFields: [{ id: 1, name: 'Plan', dataType: 'list', allowedValues: ['gold', 'silver'] }],
  },
  sandbox: { customFieldArrays: 'replace', existing: 'duplicate' },
  deferred: [],
  agreed: false,
  cut: 3,
};

it('the import after an undo sends again what was put back where rows without keys have changed', {
  timeout: 600_000,
}, async () => {
  await undoesWhatWasImported(rowsWithoutKeys, new Map());
});
