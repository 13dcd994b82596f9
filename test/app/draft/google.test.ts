import { afterEach, describe, expect, it } from 'vitest';
import { compileDraftWithProblems } from '../../../src/mapping/compile/index.ts';
import { createLazyRow } from '../../../src/sources/rows.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterEach(removeFolders);

const head =
  'First Name,Last Name,Labels,E-mail 1 - Value,Phone 1 - Value,Address 1 - Label,Address 1 - Street';

/** What the drafted mapping of these rows makes of each of them. */
async function draftsOf(rows: readonly string[]) {
  const made = await drafted([head, ...rows].join('\n'), 'google.csv', { key: false, country: 'US' });
  const { pipeline, wrong } = await checked(made);
  const read = compileDraftWithProblems(pipeline.import.mapping);
  const columns = head.split(',');
  const drafts = rows.map((row, n) => {
    const cells = row.split(',');
    return read(createLazyRow(n + 2, () => new Map(columns.map((name, at) => [name, cells[at] ?? '']))));
  });
  return { made, wrong, drafts };
}

describe('a draft of contacts from Google', () => {
  it('takes several e-mails and phones of a cell apart', async () => {
    const { drafts, wrong } = await draftsOf([
      'Ada,Quill,,ada@example.com ::: ada2@example.org,(202) 680-3552 ::: (303) 687-3689,,',
      'Ben,Reed,,ben@example.com,(404) 555-0102,,',
      'Cy,Marlow,,cy@example.com,(303) 237-1137,,',
    ]);
    expect(wrong).toEqual([]);
    const [ada] = drafts;
    expect(ada?.problems).toEqual([]);
    expect(ada?.draft.values.contact).toMatchObject({ email: 'ada@example.com', phone: '+12026803552' });
    // The others are kept in a field.
    expect(Object.values(ada?.draft.values.customFields ?? {})).toEqual(
      expect.arrayContaining(['ada@example.com ::: ada2@example.org', '(202) 680-3552 ::: (303) 687-3689']),
    );
    expect(ada?.draft.dropped.map(({ code }) => code)).toEqual(['phone.countryAssumed']);
  });

  it("makes tags of the contact's labels alone, without Google's own groups", async () => {
    const { made, wrong, drafts } = await draftsOf([
      'Ada,Quill,Friends ::: * myContacts,ada@example.com,,Home,1 Elm St',
      'Ben,Reed,* myContacts ::: Pilots,ben@example.com,,Work,2 Elm St',
      'Cy,Marlow,* myContacts,cy@example.com,,,',
    ]);
    expect(wrong).toEqual([]);
    expect(drafts.map(({ draft }) => draft.tags)).toEqual([['Friends'], ['Pilots'], []]);
    expect(made.draft.mapping.text).toContain("Google's own groups, such as * myContacts, are left out");
    expect(made.draft.columns.find(({ name }) => name === 'Address 1 - Label')?.field).toBe(
      'customFields.Address 1 - Label',
    );
  });
});
