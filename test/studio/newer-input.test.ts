import { appendFileSync, copyFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RouteRequest } from '../../src/studio/wire/routes.ts';
import { atSite } from '../cli/site.ts';
import { atStudio, projectOfTest } from './at-studio.ts';

const pipelinePath = 'pipelines/import-kunden.yaml';

const pipeline = `pipeline: import-kunden # the old CRM
import:
  source:
    format: csv
    path: ../Kunden.csv # the trial export
    delimiter: ";"
    encoding: windows-1252
    nulls: ["-"]
  mapping: ../mappings/kunden.yaml
`;

const mapping = `mapping: kunden
key: Nr
contact:
  firstName: { from: Vorname }
  email: { from: E-Mail }
comments:
  - { name: notiz, text: '{Notiz}' }
`;

const head = 'Nr;Vorname;E-Mail;Notiz';
const older = `${head}\n1;J\xfcrgen;juergen@example.com;Rief an\n`;
const newer = `${older}2;Ada;ada@example.com;Zieht um\n`;

async function studioWith(files: Readonly<Record<string, Buffer>>) {
  const folder = projectOfTest();
  mkdirSync(join(folder, 'mappings'));
  writeFileSync(join(folder, 'mappings/kunden.yaml'), mapping);
  writeFileSync(join(folder, pipelinePath), pipeline);
  const all = { 'Kunden.csv': Buffer.from(older, 'latin1'), ...files };
  for (const [name, bytes] of Object.entries(all)) writeFileSync(join(folder, name), bytes);
  const studio = await atStudio({ folder });
  return {
    ...studio,
    async compare(path: string, typed: Partial<RouteRequest<'newerInput'>> = {}) {
      const [event] = await studio.hear('newerInput', { path, pipeline: pipelinePath, ...typed });
      if (event?.kind !== 'newer') throw new Error(`no comparison: ${JSON.stringify(event)}`);
      return event.newer;
    },
    async similar(path: string) {
      const [event] = await studio.hear('similarImports', { path });
      return event?.kind === 'similarImports' ? event.imports : event;
    },
  };
}

describe('a newer file of an import', () => {
  it('that is written alike changes only the path of the pipeline, which keeps its comments', async () => {
    const { compare, call, folder } = await studioWith({ 'neu.csv': Buffer.from(newer, 'latin1') });
    const { missing, added, changed, pipeline: written } = await compare('neu.csv');
    expect({ missing, added, changed: changed.length }).toEqual({ missing: [], added: [], changed: 0 });
    expect(written.text).toBe(pipeline.replace('../Kunden.csv #', '../neu.csv #'));
    await call('writeYaml', { path: pipelinePath, ...written });
    expect(readFileSync(join(folder, pipelinePath), 'utf8')).toBe(written.text);
    expect(await call('imports', {})).toMatchObject({
      imports: [{ pipeline: pipelinePath, name: 'import-kunden', input: 'neu.csv' }],
    });
  });

  it('that is written in another way is read as it is written', async () => {
    const { compare } = await studioWith({
      'comma.csv': Buffer.from(newer.replaceAll(';', ',')),
      'utf8.csv': Buffer.from(newer),
      'tabs.tsv': Buffer.from(newer.replaceAll(';', '\t')),
    });
    const comma = await compare('comma.csv');
    expect(comma).toMatchObject({ missing: [], added: [] });
    expect(comma.changed).toEqual([
      { option: 'delimiter', flag: 'delimiter', from: ';', to: ',' },
      { option: 'encoding', flag: 'encoding', from: 'windows-1252', to: 'utf-8' },
    ]);
    expect(comma.pipeline.text).toContain('path: ../comma.csv # the trial export\n    delimiter: ","\n');
    // Column names of plain letters are the same in every encoding.
    expect((await compare('utf8.csv')).changed).toEqual([
      { option: 'encoding', flag: 'encoding', from: 'windows-1252', to: 'utf-8' },
    ]);
    const tabs = await compare('tabs.tsv');
    expect(tabs.changed).toContainEqual({ option: 'format', flag: 'format', from: 'csv', to: 'tsv' });
    expect(tabs.pipeline.text).toContain('nulls: ["-"]');
    expect(tabs.pipeline.text).not.toContain('delimiter');
    const stated = await compare('comma.csv', { encoding: 'windows-1252' });
    expect(stated.changed.map(({ option }) => option)).toEqual(['delimiter']);
  });

  it('that lacks a column of the mapping, or has more columns, is said before anything is written', async () => {
    const { compare, folder } = await studioWith({
      'renamed.csv': Buffer.from(newer.replace('E-Mail', 'Mail').replace('Notiz', 'Bemerkung'), 'latin1'),
    });
    expect(await compare('renamed.csv')).toMatchObject({
      ...{ missing: ['E-Mail', 'Notiz'], added: ['Mail', 'Bemerkung'], changed: [] },
    });
    expect(readFileSync(join(folder, pipelinePath), 'utf8')).toBe(pipeline);
  });

  it('is refused where the mapping or the file cannot be read', async () => {
    const { hear, folder } = await studioWith({
      'neu.csv': Buffer.from(newer),
      'empty.csv': Buffer.from(''),
    });
    const compared = async (path: string) => await hear('newerInput', { path, pipeline: pipelinePath });
    expect(await compared('empty.csv')).toMatchObject([{ kind: 'refused' }]);
    appendFileSync(join(folder, 'mappings/kunden.yaml'), 'contcat: {}\n');
    expect(await compared('neu.csv')).toMatchObject([{ kind: 'refused' }]);
  });
});

it('a mapping that reads a column which the newer input does not have is not valid', () =>
  atSite({ rows: 4 }, async (site) => {
    await site.import();
    const text = readFileSync(site.people.pipeline, 'utf8');
    const people = readFileSync(join(site.folder, 'people.csv'), 'utf8');
    const { hear } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const mappingIs = async (isValid: boolean) =>
      await hear(
        'watchActivity',
        { pipeline: 'pipeline.yaml' },
        ({ progress }) => progress?.hasNewerInput === true && progress.isMappingValid === isValid,
      );
    writeFileSync(join(site.folder, 'newer.csv'), people.replace('Email', 'Mail'));
    writeFileSync(site.people.pipeline, text.replace('people.csv', 'newer.csv'));
    await mappingIs(false);
    const mapping = join(site.folder, 'mapping.yaml');
    writeFileSync(mapping, readFileSync(mapping, 'utf8').replace('from: Email', 'from: Mail'));
    await mappingIs(true);
  }));

describe('the imports with similar columns as a file', () => {
  it('are those whose current file has most of its columns, with what differs, and not those that read the file', async () => {
    const { similar } = await studioWith({
      'neu.csv': Buffer.from(newer),
      'more.csv': Buffer.from(newer.replace('Notiz', 'Notiz;Ort')),
      'fewer.csv': Buffer.from(newer.replace('E-Mail;', '')),
      'renamed.csv': Buffer.from(newer.replace('E-Mail', 'Mail')),
      'other.csv': Buffer.from(newer.replace('E-Mail', 'Mail').replace('Vorname', 'Name')),
      'orders.csv': Buffer.from(
        'Nr,Vorname,E-Mail,Notiz,Betrag,Datum,Artikel\n1,Ada,a@example.com,x,1,2,3\n',
      ),
    });
    const differing = (missing: readonly string[], added: readonly string[]) => [
      { pipeline: pipelinePath, missing, added },
    ];
    expect(await similar('neu.csv')).toEqual(differing([], []));
    expect(await similar('more.csv')).toEqual(differing([], ['Ort']));
    expect(await similar('fewer.csv')).toEqual(differing(['E-Mail'], []));
    expect(await similar('renamed.csv')).toEqual(differing(['E-Mail'], ['Mail']));
    for (const path of ['other.csv', 'orders.csv', 'Kunden.csv'])
      expect(await similar(path), path).toEqual([]);
  });
});

it('the progress of an import knows a file that no import has read yet, and a plan of the one before', () =>
  atSite({ rows: 4 }, async (site) => {
    await site.import();
    mkdirSync(join(site.workDir, 'plans'));
    const plan = join(site.workDir, 'plans/pipeline.db');
    writeFileSync(plan, '');
    utimesSync(plan, 1_000_000, 1_000_000);
    const { hear } = await atStudio({ folder: site.folder, workDir: site.workDir });
    const progress = async () => {
      const [first] = await hear('watchActivity', { pipeline: 'pipeline.yaml' }, () => true);
      return first?.progress;
    };
    const hasNewerInput = async () => (await progress())?.hasNewerInput;
    expect(await progress()).toMatchObject({ hasNewerInput: false, plannedAt: expect.any(String) });
    const text = readFileSync(site.people.pipeline, 'utf8');
    copyFileSync(join(site.folder, 'people.csv'), join(site.folder, 'newer.csv'));
    appendFileSync(join(site.folder, 'newer.csv'), '4,New,Person,new@example.com,+12015559999,1\n');
    writeFileSync(site.people.pipeline, text.replace('people.csv', 'newer.csv'));
    expect(await progress()).toMatchObject({ hasNewerInput: true, isPlanOutdated: true });
    expect((await site.import()).code).toBe(0);
    expect(await hasNewerInput()).toBe(false);
    writeFileSync(site.people.pipeline, text);
    expect(await hasNewerInput()).toBe(false);
  }));
