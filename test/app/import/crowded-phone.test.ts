import { expect, it } from 'vitest';
import { realImport } from './real-import.ts';

const desk = '+4930123456';
const crowd = Array.from({ length: 8 }, (_, n) => ({
  firstName: `Tom${n}`,
  lastName: `Berg${n}`,
  phone: desk,
}));
const mappingOf = (identify: string) => `mapping: desk
key: Id
identify: ${identify}
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
comments:
  - { name: note, text: "{Note}" }
`;
const lines = ['Id,First,Last,Email,Phone,Note', `1,Bea,Klein,bea@example.test,${desk},Likes tea`];
const settings = ['  policy: { lookup: snapshot }', '  limits: { settle: 2s }'];

it.each(['[email, phone]', '[phone, email]'])(
  'a new person with the phone of many contacts is created and read by the e-mail alone, identify: %s',
  async (identify) => {
    // A new contact is not shown at once, and a read of it by e-mail finds nothing until then.
    const real = await realImport(mappingOf(identify), lines, settings, '', {
      processingMs: 300,
      processingAnswer: 404,
    });
    real.sandbox.add({ contacts: crowd });
    await real.import();
    expect(real.events.flatMap((event) => (event.kind === 'row' ? [event.outcome] : []))).toEqual([
      'created',
    ]);
    const commented = real.sandbox.contacts().filter(({ comments }) => comments.length > 0);
    expect(commented.map(({ email, phone }) => [email, phone])).toEqual([['bea@example.test', desk]]);
  },
);
