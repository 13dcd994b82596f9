import { basename } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

const contacts = [
  'Record ID,First Name,Last Name,Email,Mobile Phone,Country,Plan,Score,Joined,Opt-in,Owner,Labels,Stage,Remarks,Fixed',
  '1,Ada,Lovelace,ada@example.com,+1 202-555-0143,US,gold,"1,5",2020-01-31,yes,jane@example.com,a;b,lead,"Long ago, indeed",x',
  '2,Bob,Byrne,bob@example.com,+44 7700 900123,UK,silver,"2,5",2021-02-01,no,jane@example.com,b,customer,Called back,x',
  '3,Cleo,Cruz,cleo@example.com,+1 202-555-0144,US,gold,"7,25",2021-02-02,no,bob@example.com,a,lead,,x',
  '4,Dan,Diaz,dan@example.com,,DE,silver,"0,5",2021-03-13,yes,,,customer,,x',
  '',
].join('\n');

describe('a draft of a CSV file', () => {
  it('finds the contact, what belongs to it and the types of the rest', async () => {
    const made = await drafted(contacts);
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    const { mapping } = pipeline.import.mapping;
    expect(mapping).toMatchObject({
      key: 'Record ID',
      contact: {
        firstName: { from: 'First Name', default: 'Unknown' },
        lastName: { from: 'Last Name' },
        email: { from: 'Email' },
        phone: { from: 'Mobile Phone', onInvalid: 'drop' },
        countryCode: { from: 'Country' },
      },
      customFields: {
        Plan: { type: 'list', allowed: ['gold', 'silver'], create: true, slug: 'plan' },
        Score: { type: 'number', decimal: ',' },
        Joined: { type: 'date' },
        'Opt-in': { type: 'checkbox', checked: ['yes'], unchecked: ['no'] },
      },
      tags: { from: 'Labels', split: ';' },
      lifecycle: { from: 'Stage', values: { lead: null, customer: null } },
      assignee: { from: 'Owner', unknown: 'unassigned' },
      comments: [{ name: 'note', text: '{Remarks}' }],
    });
    expect(mapping.contact.phone).not.toHaveProperty('country');
    expect(mapping.customFields).not.toHaveProperty('Fixed');
    expect(made.draft.leftOut).toEqual([{ column: 'Fixed', why: 'the same in every row' }]);
  });

  it('splits tags at each separator, but at commas only where they are no part of a tag', async () => {
    const tagsOf = async (cells: readonly string[]) => {
      const lines = cells.map((cell, n) => `${n},Ada,ada${n}@example.com,"${cell}"`);
      const made = await drafted(`ID,First Name,Email,Labels\n${lines.join('\n')}\n`);
      return (await checked(made)).pipeline.import.mapping.mapping.tags;
    };
    const mixed = await tagsOf(['vip, new', 'vip', 'old|vip', 'old, vip', 'new, old']);
    expect(mixed).toMatchObject({ split: '|', replace: { pattern: '[,]', with: '|' } });
    const within = await tagsOf(['Ulm, west;vip', 'vip;new', 'vip;old', 'new;old', 'old']);
    expect(within).toMatchObject({ split: ';' });
    expect(within).not.toHaveProperty('replace');
  });

  it('puts the prefix of a Dutch family name before it', async () => {
    const rows = [
      'Klantnr,Voornaam,Tussenvoegsel,Achternaam,E-mailadres',
      '1,Jan,de,Vries,jan@example.nl',
      '2,Piet,van der,Berg,piet@example.nl',
      '3,Els,,Wouters,els@example.nl',
    ];
    const made = await drafted(`${rows.join('\n')}\n`);
    const { pipeline } = await checked(made);
    const fields = made.draft.columns.flatMap(({ name, field }) =>
      field === 'contact.lastName' ? [name] : [],
    );
    expect(fields).toEqual(['Tussenvoegsel', 'Achternaam']);
    const { contact, customFields } = pipeline.import.mapping.mapping;
    expect(contact.lastName).toEqual({ template: '{Tussenvoegsel} {Achternaam}' });
    expect(customFields ?? {}).not.toHaveProperty('Tussenvoegsel');
  });

  it('decodes texts that the old CRM has stored as HTML', async () => {
    const rows = [
      'ID,First Name,Last Name,Email,Company,Remarks,City',
      '1,Ada,O&#039;Neil,ada@example.com,Sample &amp; Sons,&quot;Long ago&quot;,Lund',
      '2,Bob,Byrne,bob@example.com,,Called back,Malm&ouml;',
      '',
    ];
    const { pipeline } = await checked(await drafted(rows.join('\n')));
    const { contact, customFields } = pipeline.import.mapping.mapping;
    expect(contact.lastName).toEqual({ from: 'Last Name', html: true });
    expect(contact.firstName).not.toHaveProperty('html');
    expect(customFields).toMatchObject({ Company: { html: true }, City: { html: true } });
  });

  it('takes the text of HTML in notes and fields, also of long ones', async () => {
    const long = `<p>${'very '.repeat(500)}long</p>`;
    const rows = [
      ['a', '<p>Hello<br>World &amp; co</p>', 'plain', '<b>sales</b> manager'],
      ['b', long, 'text', 'a plain one'],
    ].map(([name, ...texts]) => `${name}@example.com,${texts.map((text) => `"${text}"`).join(',')}`);
    const { draft } = await drafted(['Email,Notes,Comment,Job', ...rows].join('\n'));
    const { comments, customFields } = parse(draft.mapping.text);
    expect(comments).toEqual([
      { name: 'note', text: '{Notes}', html: ['Notes'] },
      { name: 'note 2', text: '{Comment}' },
    ]);
    expect(customFields).toMatchObject({ Job: { html: true } });
    const longOnly = await drafted(`Email,Notes\na@example.com,"${long}"\n`);
    expect(parse(longOnly.draft.mapping.text).comments).toMatchObject([{ html: ['Notes'] }]);
  });

  it('states encoding and delimiter as they were found', async () => {
    const latin = Buffer.from('Prénom;Nom;Courriel\nZoé;Léger;zoe@example.com\n', 'latin1');
    const made = await drafted(latin);
    expect(made.draft.options).toEqual({ encoding: 'windows-1252', delimiter: ';', header: true });
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping.contact).toMatchObject({
      firstName: { from: 'Prénom' },
      lastName: { from: 'Nom' },
      email: { from: 'Courriel' },
    });
  });

  it('asks what only a person can know, and is refused until it is answered', async () => {
    const made = await drafted(
      'Name,Phone,Born\nAda Example,(202) 555-0143,03/04/1990\nBob Example,(202) 555-0144,05/06/1991\n',
    );
    const questions = made.draft.todos.map(({ question }) => question);
    expect(questions).toEqual([
      expect.stringMatching(/^which column identifies a row .* or false if there is none/),
      expect.stringMatching(/^which country .*US \(right for 100 %\)/),
      expect.stringContaining('03/04 could be a day in March or in April'),
    ]);
    await expect(checked(made, { 'which country': 'TODO', 'in March or in April': 'TODO' })).rejects.toThrow(
      /contacts\.yaml:\d+:\d+: contact\.phone\.country: still to do: replace "TODO" with your answer\n.*customFields\.Born\.formats/,
    );
    const { wrong } = await checked(made);
    expect(wrong).toEqual([]);
  });

  it('copies nobody into its files', async () => {
    const made = await drafted(contacts);
    const text = made.draft.mapping.text + made.draft.pipeline.text + JSON.stringify(made.draft);
    for (const one of ['Lovelace', 'jane@example.com', '555-0143', 'Long ago'])
      expect(text).not.toContain(one);
  });

  it('gives fields with names in other letters slugs of their own, the same in every draft', async () => {
    const slugOf = async (column: string) => {
      const made = await drafted(`Id,Name,Email,${column}\n1,Ada,a@example.com,x\n2,Bob,b@example.com,y\n`);
      const { pipeline } = await checked(made);
      return pipeline.import.mapping.mapping.customFields?.[column]?.slug;
    };
    const columns = ['Город', 'Отдел', '部署', 'Größe', 'Plan Б', '2 этаж'];
    const slugs = await Promise.all(columns.map(slugOf));
    expect(slugs).toEqual([
      expect.stringMatching(/^field_[0-9a-f]{8}$/),
      expect.stringMatching(/^field_[0-9a-f]{8}$/),
      expect.stringMatching(/^field_[0-9a-f]{8}$/),
      'grosse',
      expect.stringMatching(/^plan_[0-9a-f]{8}$/),
      expect.stringMatching(/^field_[0-9a-f]{8}$/),
    ]);
    expect(new Set(slugs).size).toBe(columns.length);
    expect(await slugOf('Город')).toBe(slugs[0]);
  });

  it.each([
    ['клиенты.csv', 'клиенты'],
    ['поставщики.csv', 'поставщики'],
    ['عملاء.csv', 'عملاء'],
    ['顧客一覧_20240501.csv', '顧客一覧-20240501'],
    ['Contactos España (1).csv', 'contactos-espana-1'],
    ['★.csv', 'input'],
  ])('gives the files of %s the name %s', async (input, name) => {
    const { draft } = await drafted(contacts, input);
    expect(/^mapping: (.*)$/m.exec(draft.mapping.text)?.[1]).toBe(name);
    expect(basename(draft.pipeline.file)).toBe(`import-${name}.yaml`);
  });

  it('says the same of the same file', async () => {
    const [one, other] = [await drafted(contacts), await drafted(contacts)];
    expect(other.draft.mapping.text).toBe(one.draft.mapping.text);
  });

  it('names the input relative to the pipeline', async () => {
    const made = await drafted(contacts);
    await checked(made);
    const { import: settings } = await loadImportPipeline(made.draft.pipeline.file);
    expect(settings.source.path).toBe(`${made.folder}/contacts.csv`);
    expect(made.draft.pipeline.text).toContain('path: ../contacts.csv');
  });
});
