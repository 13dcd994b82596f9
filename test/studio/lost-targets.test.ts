import { expect, it } from 'vitest';
import { listLostTargets } from '../../src/studio/wire/lost-targets.ts';

it('a target is lost if values of it are dropped and no row keeps one', () => {
  const reason = (target: string, effect: 'dropped' | 'rejected') => ({
    ...{ code: `${target}.invalid`, target, effect, n: 2, examples: [] },
  });
  const reasons = [
    reason('contact.phone', 'dropped'),
    reason('contact.phone', 'dropped'),
    reason('customFields.Plan', 'dropped'),
    reason('contact.email', 'rejected'),
  ];
  expect(listLostTargets({ filled: { 'customFields.Plan': 1 }, reasons })).toEqual(['contact.phone']);
  expect(listLostTargets({ filled: {}, reasons: [] })).toEqual([]);
});
