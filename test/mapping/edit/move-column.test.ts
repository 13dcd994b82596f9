import { describe, expect, it } from 'vitest';
import { type ColumnMove, moveColumn, outlineMapping } from '../../../src/mapping/index.ts';

const mapping = `# kept
mapping: people
key: ID  # kept
contact:
  email: { from: [Email, Work] }  # kept
  phone: { from: Phone, country: { from: Land } }
  firstName: { template: "{First} {Middle}" }
customFields:
  Plan: { from: Plan, type: text }
conversation: { status: { from: State } }
comments:
  - { name: note, text: "{Notes} of {ID}" }
  - { name: plan, text: "{Plan}" }
`;

function moved(move: Partial<ColumnMove> & Pick<ColumnMove, 'column'>): string {
  const edited = moveColumn(mapping, { from: null, to: null, rule: {}, ...move });
  return edited.ok ? edited.text : `refused: ${edited.reason}`;
}

describe('moveColumn', () => {
  it('changes the one line, and leaves the comments', () => {
    expect(
      moved({
        column: 'Work',
        from: ['contact', 'email'],
        to: ['customFields', 'Office'],
        rule: { type: 'text' },
      }),
    ).toBe(
      mapping
        .replace('[Email, Work]', 'Email')
        .replace(
          '  Plan: { from: Plan, type: text }\n',
          '  Plan: { from: Plan, type: text }\n  Office: { from: Work, type: text }\n',
        ),
    );
  });

  it('adds a column to those that a target reads', () => {
    expect(moved({ column: 'Fax', to: ['contact', 'phone'] })).toContain(
      'phone: { from: [ Phone, Fax ], country',
    );
  });

  it('removes a target that reads nothing else', () => {
    expect(moved({ column: 'Plan', from: ['customFields', 'Plan'] })).not.toContain('customFields');
    expect(moved({ column: 'State', from: ['conversation'] })).not.toContain('conversation');
    expect(moved({ column: 'Plan', from: ['comments', 1] })).toBe(
      mapping.replace('  - { name: plan, text: "{Plan}" }\n', ''),
    );
  });

  it('makes a comment with a name of its own', () => {
    expect(moved({ column: 'Plan', to: ['comments'] })).toContain('- { name: plan 2, text: "{Plan}" }');
    expect(moved({ column: 'Brace}', to: ['comments'] })).toMatch(/^refused: .*has a brace/);
  });

  it('refuses what would take a text apart', () => {
    expect(moved({ column: 'Notes', from: ['comments', 0] })).toBe(
      'refused: note uses Notes in a text: change it there.',
    );
    expect(moved({ column: 'Plan', to: ['contact', 'firstName'] })).toMatch(/^refused: .*made by a template/);
    expect(moved({ column: 'Email', to: ['contact', 'email'] })).toMatch(/^refused: .*already reads Email/);
    expect(moved({ column: 'Plan', from: ['tags'] })).toMatch(/^refused: tags is not in the mapping/);
  });
});

describe('outlineOf', () => {
  it('shows what reads which column, and how', () => {
    const outline = outlineMapping(mapping);
    expect(outline?.key).toBe('ID');
    expect(
      outline?.targets.map(({ name, label, columns }) => [
        name,
        label,
        ...columns.map((each) => `${each.as} ${each.column}`),
      ]),
    ).toEqual([
      ['contact.email', null, 'from Email', 'from Work'],
      ['contact.phone', null, 'from Phone', 'other Land'],
      ['contact.firstName', null, 'template First', 'template Middle'],
      ['customFields.Plan', null, 'from Plan'],
      ['conversation', null, 'from State'],
      ['comments', 'note', 'template Notes', 'template ID'],
      ['comments', 'plan', 'template Plan'],
    ]);
  });

  it('shows what it can of a text with mistakes and questions, and nothing of what is not YAML', () => {
    expect(
      outlineMapping('contact: { email: "TODO: which?", nonsense: [1] }\ntests: 5\n')?.targets,
    ).toHaveLength(2);
    expect(outlineMapping('contact: [')).toBeNull();
    expect(outlineMapping('')).toBeNull();
  });
});
