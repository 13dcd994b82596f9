import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import { browserPath } from '../../browser/browser.ts';
import { projectOfTest } from '../at-studio.ts';
import { dropBytes } from './hands.ts';
import { openPage } from './studio.ts';

const token = 'a-secret-token-of-this-test';

/** Semicolons, windows-1252, decimal commas, local phones, and owners and stages that the workspace calls otherwise. */
const clients = Buffer.from(
  [
    "Réf;Prénom;Nom;Courriel;Téléphone;Pays;Date de naissance;Chiffre d'affaires;Responsable;Étape;Étiquettes;Remarque",
    'C-1;Élodie;Dupré;elodie.dupre@exemple.fr;06 12 34 56 01;France;03/07/1984;1 234,50;Claire Dubois;Client;"vip, lyon";Préfère être appelée le matin',
    'C-2;Jean-Luc;Noël;jl.noel@exemple.fr;06 12 34 56 02;France;25/12/1970;980,00;Claire Dubois;Prospect;;',
    'C-3;Amélie;Le Gall;amelie.legall@exemple.fr;+33 6 12 34 56 03;France;14/02/1991;12 500,75;Marc Petit;Client;vip;',
    'C-4;Thomas;Müller;t.mueller@beispiel.de;+49 151 23456704;Allemagne;;;Ancien Collègue;Perdu;;"Parti ; ne plus appeler"',
    'C-5;Sofia;Rossi;sofia.rossi@esempio.it;+39 320 123 4505;Italie;09/09/1988;450,10;;Prospect;;',
    'C-6;Inès;Garçon;ines.garcon@exemple.fr;06 12 34 56 07;Belgique;31/02/1995;75,00;Marc Petit;Client;;',
    '',
  ].join('\r\n'),
  'latin1',
);

const user = (id: number, firstName: string, lastName: string) => ({
  ...{ id, firstName, lastName },
  email: `${firstName}.${lastName}@acme.test`.toLowerCase(),
});

const seed: SandboxOptions['seed'] = {
  users: [user(1, 'Claire', 'Dubois'), user(2, 'Marc', 'Petit'), user(3, 'Nadia', 'Benali')],
  contacts: [
    { id: 1, firstName: 'Pat', email: 'pat@acme.test', lifecycle: 'Customer', created_at: 1 },
    { id: 2, firstName: 'Lou', email: 'lou@acme.test', lifecycle: 'New Lead', created_at: 1 },
  ],
};

test.skipIf(browserPath === undefined)(
  'a French export is imported into a workspace with a token, its owners and stages chosen from those of the workspace',
  async () => {
    const sandbox = await startSandbox({ strict: true, seed, tokens: [token] });
    onTestFinished(() => sandbox.close());
    const folder = projectOfTest();
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo('#/files');

    await page.getByRole('button', { name: 'Connect a workspace' }).click();
    const connect = page.getByRole('dialog', { name: 'Which workspace?' });
    await connect.getByLabel('Address of the workspace').fill(sandbox.baseUrl);
    await connect.getByLabel('Token of the workspace').fill(token);
    await page.keyboard.press('Enter');
    await connect.waitFor({ state: 'detached' });

    await dropBytes(page, 'clients.csv', clients);
    await page.getByRole('grid', { name: 'The first rows' }).getByText('Élodie').waitFor();
    await page.getByRole('button', { name: 'Draft a mapping' }).click();
    await page.getByRole('link', { name: 'Answer the questions' }).click();

    // The connected workspace is asked by itself; owners with the name of a user are found.
    await page
      .getByText(/has 0 custom fields and 3 users, which are in the lists. Its first contacts have 2 stages/)
      .waitFor();
    await expectInOrder('questions with the names of the workspace');
    const owner = (name: string) => page.getByRole('combobox', { name: new RegExp(`^${name}`) });
    expect(await owner('Claire Dubois').inputValue()).toBe('claire.dubois@acme.test');
    expect(await owner('Marc Petit').inputValue()).toBe('marc.petit@acme.test');
    await owner('Ancien Collègue').fill('priya@nowhere.example');
    await page.keyboard.press('Enter');
    await expect(owner('Ancien Collègue').evaluate((field) => field.matches(':invalid'))).resolves.toBe(true);
    await owner('Ancien Collègue').fill('nadia.benali@acme.test');
    await page.keyboard.press('Enter');
    for (const [stage, answer] of [
      ['Client', 'Customer'],
      ['Prospect', 'New Lead'],
    ] as const) {
      await page.getByRole('combobox', { name: new RegExp(`^${stage}: Which stage`) }).fill(answer);
      await page.keyboard.press('Enter');
      await page
        .getByRole('combobox', { name: new RegExp(`^${stage}: Which stage`) })
        .waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'No stage' }).click();
    await page.getByRole('heading', { name: 'Every question is answered' }).waitFor();
    await page.getByText('All 6 rows of the input').waitFor();
    await page.getByRole('link', { name: 'Next: Plan the import' }).click();

    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByRole('button', { name: 'Import all 6 rows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import all 6 rows' }).click();
    await page.waitForURL(/#\/run\/\d{8}-/);
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    await page.getByRole('link', { name: 'Next: Check the import' }).click();
    await page.getByRole('button', { name: 'Check the import' }).click();
    const steps = page.getByRole('list', { name: 'Steps of an import' }).getByRole('listitem');
    await steps.filter({ hasText: 'Check' }).getByText('not complete yet').waitFor();
    await page.getByRole('link', { name: 'Next: Hand over' }).click();
    await page
      .getByRole('region', { name: 'To do by hand' })
      .getByText('Attach the tags of 2 contacts')
      .waitFor();
    await expectInOrder('the hand over of a French export');

    const stands = sandbox
      .contacts()
      .filter(({ id }) => id > 2)
      .map(({ email, firstName, lastName, phone, countryCode, lifecycle, assignee, custom_fields }) => [
        ...[email, firstName, lastName, phone, countryCode, lifecycle, assignee?.email ?? null],
        ...custom_fields.map(({ value }) => value),
      ])
      .sort();
    const [claire, marc, nadia] = seed.users?.map(({ email }) => email) ?? [];
    expect(stands).toEqual([
      [
        'amelie.legall@exemple.fr',
        'Amélie',
        'Le Gall',
        '+33612345603',
        'FR',
        'Customer',
        marc,
        '1991-02-14',
        '12500.75',
      ],
      [
        'elodie.dupre@exemple.fr',
        'Élodie',
        'Dupré',
        '+33612345601',
        'FR',
        'Customer',
        claire,
        '1984-07-03',
        '1234.5',
      ],
      ['ines.garcon@exemple.fr', 'Inès', 'Garçon', null, 'BE', 'Customer', marc, null, '75'],
      [
        'jl.noel@exemple.fr',
        'Jean-Luc',
        'Noël',
        '+33612345602',
        'FR',
        'New Lead',
        claire,
        '1970-12-25',
        '980',
      ],
      [
        'sofia.rossi@esempio.it',
        'Sofia',
        'Rossi',
        '+393201234505',
        'IT',
        'New Lead',
        null,
        '1988-09-09',
        '450.1',
      ],
      ['t.mueller@beispiel.de', 'Thomas', 'Müller', '+4915123456704', 'DE', null, nadia, null, null],
    ]);
    expect(readdirSync(folder).sort()).toEqual(['.longshore', 'mappings', 'pipelines']);
  },
);
