import { afterAll, describe, expect, it } from 'vitest';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

/** The contact's rules of the draft of a CSV, and the text of its mapping. */
async function contactOf(...lines: readonly string[]) {
  const made = await drafted(`${lines.join('\n')}\n`);
  const { pipeline, wrong } = await checked(made);
  return { contact: pipeline.import.mapping.mapping.contact, wrong, text: made.draft.mapping.text };
}

describe('first and last names of several people', () => {
  it('are never mixed: those of the contact, and not of who pays', async () => {
    const { contact, wrong } = await contactOf(
      'id,email,first_name,last_name,billing_first_name,billing_last_name,shipping_first_name',
      '1,marta@example.com,Marta,,Juan,Ruiz,Eva',
      '2,rui@example.com,Rui,Costa,Rui,Costa,Eva',
      '3,leo@example.com,,Ruiz,Juan,Ruiz,Eva',
    );
    expect(contact).toMatchObject({ firstName: { from: 'first_name' }, lastName: { from: 'last_name' } });
    expect(wrong).toEqual([]);
  });

  it('are those of who pays where the contact has neither part, and no row would get parts of two names', async () => {
    const { contact, text, wrong } = await contactOf(
      'id,email,first_name,last_name,billing_first_name,billing_last_name',
      '1,marta@example.com,Marta,Ruiz,Juan,Costa',
      '2,jose@example.com,,,José,Pérez',
    );
    expect(contact).toMatchObject({
      firstName: { from: ['first_name', 'billing_first_name'], default: 'Unknown' },
      lastName: { from: ['last_name', 'billing_last_name'] },
    });
    expect(text).toContain('billing_first_name counts where both parts of the name are empty');
    expect(wrong).toEqual([]);
  });

  it('are the full name where a row has no parts', async () => {
    const { contact } = await contactOf(
      'Id,First Name,Last Name,Name,Work Phone',
      '1,Kai,Kern,Kai Kern,+14155552671',
      '2,,,Front Desk,+14155552671',
    );
    expect(contact).toMatchObject({
      firstName: { from: ['First Name', 'Name'] },
      lastName: { from: 'Last Name' },
    });
  });

  it('are not the full name where a row has only its last name, which would be there twice', async () => {
    const { contact } = await contactOf(
      'Id,First Name,Last Name,Name,Email',
      '1,Kai,Kern,Kai Kern,kai@example.com',
      '2,,Kern,Kern,kern@example.com',
      '3,,,Front Desk,desk@example.com',
    );
    expect(contact.firstName).toMatchObject({ from: 'First Name' });
  });
});

describe('dial codes in a column of their own', () => {
  it('are those of the phones, also where they are a number of another country', async () => {
    const { contact, wrong, text } = await contactOf(
      'Name,CountryCode,Phone',
      'Ravi Kumar,91,9876543210',
      'Siti Aminah,62,81234567890',
      'Tom Lee,1,4155552671',
      'Ann Byrne,44,7400123456',
    );
    expect(contact.phone).toMatchObject({
      from: 'Phone',
      country: { from: 'CountryCode', values: { 44: 'GB' } },
    });
    expect(contact.phone?.country).not.toHaveProperty('default');
    expect(text).not.toContain('which country are');
    expect(wrong).toEqual([]);
  });

  it('come before the country of the address, which is that of rows without one', async () => {
    const { contact } = await contactOf(
      'Name,Dial Code,Country,Phone',
      'Ravi Kumar,91,Germany,9876543210',
      'Jo Alt,,Germany,030 901820',
    );
    expect(contact.phone).toMatchObject({ country: { from: ['Dial Code', 'Country'] } });
  });

  it('are no numbers of countries', async () => {
    const { contact } = await contactOf(
      'Name,Country code,Phone',
      'Ravi Kumar,356,9876543210',
      'Jo Alt,276,030 901820',
    );
    expect(contact.phone).toMatchObject({ country: 'US' });
  });
});
