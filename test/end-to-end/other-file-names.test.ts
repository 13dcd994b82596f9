import { copyFileSync, cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './in-process.ts';

const pipeline = join(import.meta.dirname, '../../pipelines/import-hubspot.yaml');
const fixtures = join(import.meta.dirname, '../../fixtures/hubspot');

/** The shipped export of HubSpot, its contacts under another name, and `check` of the shipped pipeline on it. */
function exportCalled(contacts: string) {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = (name: string) => join(folder.path, 'export', name);
  cpSync(fixtures, path(''), { recursive: true });
  renameSync(path('contacts.csv'), path(contacts));
  const check = (source: string) =>
    run(['check', pipeline, '--source', source, '--work-dir', join(folder.path, 'work')]);
  return { path, check };
}

it('the shipped pipeline of Salesforce, which names no file, takes the only one with the columns of contacts', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const path = (name: string) => join(folder.path, 'export', name);
  cpSync(join(import.meta.dirname, '../../fixtures/salesforce'), path(''), { recursive: true });
  renameSync(path('Contact.csv'), path('Alle Kontakte.csv'));
  const shipped = join(import.meta.dirname, '../../pipelines/import-salesforce.yaml');
  const workDir = join(folder.path, 'work');
  const { stdout } = await run(['check', shipped, '--source', path(''), '--work-dir', workDir]);
  expect(stdout).toContain('"Contact" is read from Alle Kontakte.csv, the only file');
  expect(stdout).toMatch(/\d+ of \d+ rows pass/);
});

describe('the shipped pipeline of HubSpot', () => {
  it('takes a file called hubspot_contacts.csv', async () => {
    const { path, check } = exportCalled('hubspot_contacts.csv');
    const { code, stdout } = await check(path(''));
    expect(stdout).toMatch(/\d+ of \d+ rows pass/);
    expect(stdout).not.toContain('the only file');
    expect(code).toBe(3);
  });

  it('takes the only file with the columns that its mapping needs, and says so', async () => {
    const { path, check } = exportCalled('Alle Kontakte März.csv');
    const { code, stdout } = await check(path(''));
    expect(stdout).toContain(
      '"contacts" is read from Alle Kontakte März.csv, the only file with all columns that the mapping needs. Set it, if that is right: tables: { "contacts": { file: "Alle Kontakte März.csv" } }.',
    );
    expect(code).toBe(3);
  });

  it('takes a file that is the input itself, whatever its name', async () => {
    const { path, check } = exportCalled('Alle Kontakte März.csv');
    const { code, stdout } = await check(path('Alle Kontakte März.csv'));
    expect(stdout).toContain('"contacts" is read from Alle Kontakte März.csv');
    expect(code).toBe(3);
  });

  it('offers one of two files with these columns, and takes neither', async () => {
    const { path, check } = exportCalled('Alle Kontakte März.csv');
    copyFileSync(path('Alle Kontakte März.csv'), path('Alle Kontakte April 2025.csv'));
    const { code, stderr, stdout } = await check(path(''));
    expect(stdout + stderr).toContain(
      'Set its file: tables: { "contacts": { file: "Alle Kontakte März.csv" } }, or choose another one with all columns that the mapping needs: Alle Kontakte April 2025.csv.',
    );
    expect(code).toBe(2);
  });

  it('offers the file that comes nearest, with the columns that it lacks', async () => {
    const { path, check } = exportCalled('Alle Kontakte März.csv');
    const text = readFileSync(path('Alle Kontakte März.csv'), 'utf8');
    writeFileSync(path('Alle Kontakte März.csv'), text.replace('Unsubscribed from all email', 'Abgemeldet'));
    const { code, stderr, stdout } = await check(path(''));
    expect(stdout + stderr).toContain(
      'Set its file: tables: { "contacts": { file: "Alle Kontakte März.csv" } }; of the columns that the mapping needs, it lacks "Unsubscribed from all email".',
    );
    expect(code).toBe(2);
  });
});
