import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { deriveSourceSystemName } from '../../../src/app/draft/system-name.ts';
import { workbook } from '../../sources/builders/xlsx.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

describe('the system of a file', () => {
  it.each([
    ['/x/acme/pipedrive-people.csv', undefined, 'pipedrive-people'],
    ['/x/acme/contacts-2024-05-01.csv', undefined, 'acme-contacts'],
    ['/x/acme/contacts_20240501_1030.csv', undefined, 'acme-contacts'],
    ['/x/acme/hubspot-2024-05-01T10-30-00.csv.gz', undefined, 'hubspot'],
    ['/x/acme/Hubspot 01.05.2024 (2).csv', undefined, 'hubspot'],
    ['/x/acme/zoho_2024.tar.gz', undefined, 'zoho'],
    ['/x/acme/export_1714567890.csv', undefined, 'acme-export'],
    ['/x/acme/2024-05/contacts.csv', undefined, 'acme-contacts'],
    ['/x/acme/exports/data.csv', undefined, 'acme-data'],
    ['/data/exports/contacts.csv', undefined, 'contacts'],
    ['/x/acme/2024-05-01', undefined, 'acme'],
    ['/x/acme/kunden.xlsx', 'Nord', 'kunden-nord'],
    ['/x/acme/kunden.xlsx', 'Kunden', 'acme-kunden'],
    ['/x/acme/crm.sql', 'leads', 'acme-crm-leads'],
    ['/x/会社/顧客.csv', undefined, '顧客'],
    ['/2024.csv', undefined, undefined],
  ])('%s %s is %s', (path, part, name) => {
    expect(deriveSourceSystemName(path, part)).toBe(name);
  });

  it('is in the drafted pipeline: two files that are called the same are two systems', async () => {
    const rows = 'ID,First Name,Email\n1,Ada,ada@example.com\n';
    const systems = ['acme', 'globex'].map(async (folder) => {
      const made = await drafted(rows, `${folder}/contacts-2024-05-01.csv`);
      const { wrong } = await checked(made);
      expect(wrong).toEqual([]);
      return parse(made.draft.pipeline.text).import.source.system;
    });
    expect(await Promise.all(systems)).toEqual(['acme-contacts', 'globex-contacts']);
  });

  it('has its sheet, where a workbook has several that number their people for themselves', async () => {
    const sheet = (name: string) => [
      ['ID', 'First Name', 'Email', 'Place'],
      ['1', 'Ada', `${name}@example.com`, name],
    ];
    const content = workbook({ sheets: { Nord: sheet('n'), Süd: sheet('s') } });
    const systems = ['Nord', 'Süd'].map(async (name) => {
      const { draft } = await drafted(content, 'acme.xlsx', { sheet: name });
      return parse(draft.pipeline.text).import.source.system;
    });
    expect(await Promise.all(systems)).toEqual(['acme-nord', 'acme-süd']);
    const both = await drafted(content, 'acme.xlsx');
    expect(parse(both.draft.pipeline.text).import.source).toMatchObject({
      system: 'acme',
      sheets: ['Nord', 'Süd'],
    });
  });
});
