import { describe, expect, it } from 'vitest';
import { createIdentifierRedactor } from '../../src/journal/index.ts';

const without = createIdentifierRedactor(['email:da@b.co', 'phone:+12025550143']);

describe('the texts of a person who is forgotten', () => {
  it.each([
    'da@b.co',
    'Write to DA@B.CO.',
    '<da@b.co>, mailto:da@b.co',
    '"da@b.co"',
    String.raw`"Hi\nda@b.co\nBye"`,
    String.raw`"\u00e9da@b.co"`,
    'https://crm.example/?to=da%40b.co&by=1',
    'to%20da%40b.co',
    '- da@b.co -',
    'two: da@b.co;da@b.co',
  ])('have the e-mail in %j', (text) => {
    const clean = without(text) ?? '';
    expect(clean).toContain('[forgotten]');
    expect(clean.toLowerCase()).not.toMatch(/da(?:@|%40)b\.co/);
  });

  it.each([
    'ada@b.co',
    'm.da@b.co',
    'x+da@b.co',
    'o-da@b.co',
    'da@b.com',
    'da@b.co.uk',
    'da@b.co-op.org',
    'éda@b.co',
  ])('do not have it in the longer address %j, which is another person', (text) => {
    expect(without(text)).toBeNull();
    expect(without(JSON.stringify({ text: `a\n${text}\n` }))).toBeNull();
  });

  it('have the phone alone, not a longer number', () => {
    expect(without('Call 0012025550143.')).toBe('Call [forgotten].');
    expect(without('+120255501431')).toBeNull();
  });

  it('have a phone that has two forms in both', () => {
    const forgotten = createIdentifierRedactor(['phone:+5571980071007']);
    expect(forgotten('Call +557180071007 or 5571980071007.')).toBe('Call [forgotten] or [forgotten].');
    expect(forgotten('+5571980071008, +5571800710070')).toBeNull();
  });
});
