import { describe, expect, it } from 'vitest';
import { createMappingJsonSchema } from '../../src/mapping/index.ts';
import { findCompletions } from '../../src/studio/page/mapping/editor/offers.ts';
import { findYamlCursor } from '../../src/studio/page/mapping/editor/yaml-place.ts';

const schema = createMappingJsonSchema();

/** What is offered at the end of a text. */
function offered(text: string): readonly string[] {
  return findCompletions(schema, findYamlCursor(text), ['E-mail', 'Full: name']).map(({ insert }) => insert);
}

describe('the completion of a mapping', () => {
  it('offers keys where a key belongs', () => {
    expect(offered('map')).toContain('customFields: ');
    expect(offered('contact:\n  ')).toEqual(expect.arrayContaining(['email: ', 'profilePic: ']));
    expect(offered('contact:\n  email:\n    from: a\n  pho')).toContain('phone: ');
    expect(offered('contact:\n  email: { from: a, on')).toContain('onInvalid: ');
    expect(offered('customFields:\n  # a comment\n  My field: { type: list, ')).toContain('allowed: ');
    expect(offered('comments:\n  - name: a\n    ')).toContain('text: ');
    expect(offered('comments:\n  existing: send\n  entries:\n    - { na')).toContain('name: ');
    expect(offered('contact: {\n  email: { from: a },\n  ph')).toContain('phone: ');
  });

  it('offers values where a value belongs', () => {
    expect(offered('contact:\n  phone: { onInvalid: ')).toEqual(['reject', 'drop', 'default']);
    expect(offered('identify: [')).toEqual(['email', 'phone']);
    expect(offered('identify:\n  - ')).toContain('email');
    expect(offered('customFields:\n  A:\n    type: ')).toEqual(
      expect.arrayContaining(['text', 'date', 'list']),
    );
    expect(offered('lifecycle:\n  allowBackward: ')).toEqual(['true', 'false']);
  });

  it('offers the columns of the input, quoted where YAML needs it', () => {
    expect(offered('contact:\n  email: { from: ')).toEqual(['E-mail', '"Full: name"']);
    expect(offered('contact:\n  email: { from: [a, ')).toEqual(['E-mail', '"Full: name"']);
    expect(offered('contact:\n  email: { case: ')).not.toContain('E-mail');
  });

  it('offers nothing where nothing is known', () => {
    expect(offered('nonsense:\n  ')).toEqual([]);
    expect(offered('customFields: { "a: {b": { type: number, decimal: ')).toEqual(['.', ',']);
    expect(offered('}}]')).toEqual(offered(''));
  });
});
