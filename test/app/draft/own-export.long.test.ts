import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { draftFromInput } from '../../../src/app/draft/draft.ts';
import { findExporterByName } from '../../../src/exporters/registry.ts';
import { toCommand } from '../../../src/model/command.ts';
import { toContactRecord } from '../../../src/model/contact-record.ts';
import type { ExportColumn, ExportKind, ExportRecord } from '../../../src/model/export-record.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { bigWorkspace } from '../../end-to-end/export/big-workspace.ts';
import { checked, newFolder, removeFolders } from './drafting.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

afterEach(removeFolders);

const definitions = [
  ...(bigWorkspace({ contacts: 0, messages: 0 }).customFields ?? []),
  { id: 401, name: 'Empty list', dataType: 'list' as const, allowedValues: [] },
  { id: 402, name: 'Blocked before', dataType: 'text' as const },
  { id: 403, name: 'TODO: what is it', dataType: 'text' as const },
];

interface Made {
  readonly format: string;
  readonly kinds: readonly ExportKind[];
  readonly full?: boolean;
}

/** The folder of an export as it is written: what the records are made of is for tests of exports. */
async function exported({ format, kinds, full = true }: Made): Promise<string> {
  const folder = join(newFolder(), '2026-11-21');
  mkdirSync(folder);
  const seed = { ...bigWorkspace({ contacts: 60, messages: 0 }), customFields: definitions };
  const sandbox = await startSandbox({ seed });
  const contacts = sandbox
    .contacts()
    .map(({ processing: _p, closing: _c, comments: _o, ...contact }) => contact);
  await sandbox.close();
  const names = definitions.map(({ name }) => name);
  const message = { id: 1, contactId: contacts[0]?.id, created: '2024-01-02T03:04:05Z', text: 'Hello' };
  const records: { readonly [K in ExportKind]?: readonly ExportRecord[] } = {
    contacts: contacts.map((contact) => ({ given: { ...contact }, normal: toContactRecord(contact, names) })),
    messages: [{ given: {}, normal: { ...message, direction: 'incoming', sender: 'Ada' } }],
    customFields: definitions.map((field) => ({ given: field, normal: { slug: `f_${field.id}`, ...field } })),
  };
  const columns: { readonly [K in ExportKind]?: readonly ExportColumn[] } = {
    contacts: [
      ...['id', 'firstName', 'lastName', 'email', 'phone', 'language', 'countryCode', 'profilePic'],
      ...['lifecycle', 'assignee.email', 'status', 'isBlocked', 'created', 'tags'],
      ...names.map((name) => `customFields.${name}`),
    ].map((name) => {
      const custom = name.startsWith('customFields.');
      const path = custom ? ['customFields', name.slice('customFields.'.length)] : name.split('.');
      return { name, path, type: name === 'tags' ? 'texts' : 'text' };
    }),
    customFields: ['id', 'name', 'slug', 'description', 'dataType', 'allowedValues'].map((name) => ({
      name,
      path: [name],
      type: name === 'allowedValues' ? 'texts' : 'text',
    })),
  };
  const exporter = findExporterByName(format);
  if (exporter === undefined) throw new Error(`no format ${format}`);
  const tables = kinds.map((kind) => ({ kind, columns: columns[kind] ?? [] }));
  const writer = await exporter.open({ folder, tables, options: {} });
  for (const kind of kinds) await writer.write(kind, records[kind] ?? []);
  const files = await writer.finish();
  const manifest = { pipeline: 'Nightly Export', run: 'r1', full, files };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}

async function draftOf(path: string) {
  const folder = newFolder();
  const signal = new AbortController().signal;
  const made = await draftFromInput({
    path,
    out: folder,
    home: root,
    spoolDir: join(folder, 'spool'),
    signal,
  });
  return { folder, draft: made };
}

describe.each(['ndjson', 'sqlite'])('an export in %s', (format) => {
  const whole: Made = { format, kinds: ['contacts', 'messages', 'customFields'] };

  it('becomes the shipped mapping with every custom field of the workspace as it is defined', async () => {
    const made = await draftOf(await exported(whole));
    expect(made.draft).toMatchObject({ name: 'nightly-export', rows: 60, broken: 0, todos: [] });
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    const { customFields = {}, comments, assignee } = pipeline.import.mapping.mapping;
    const drafted = definitions.filter(({ name }) => !name.startsWith('TODO'));
    expect(Object.keys(customFields)).toEqual([...drafted.map(({ name }) => name), 'Contact since']);
    for (const { name, dataType, ...field } of drafted) {
      const isEmpty = name === 'Empty list';
      expect(customFields[name]).toMatchObject({
        from: `customFields.${name}`,
        type: isEmpty ? 'text' : dataType,
        create: true,
        slug: `f_${field.id}`,
        ...('allowedValues' in field && !isEmpty && { allowed: field.allowedValues }),
      });
    }
    expect(made.draft.leftOut.map(({ column }) => column)).toEqual(['customFields.TODO: what is it']);
    expect(comments).toMatchObject([{ each: 'messages' }]);
    expect(assignee).toMatchObject({ from: 'assignee.email' });
    expect(pipeline.import.policy.onMatch).toBe('fill');
    const { columns } = made.draft;
    expect(columns.map(({ name }) => name)).toContain('customFields.Score');
    expect(columns.filter(({ name }) => name.startsWith('given'))).toEqual([]);
  });

  it('without messages or definitions is drafted without a history, and with texts', async () => {
    const made = await draftOf(await exported({ format, kinds: ['contacts'] }));
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    const { customFields = {}, comments } = pipeline.import.mapping.mapping;
    expect(comments ?? []).toEqual([]);
    expect(customFields.Score).toMatchObject({ type: 'text' });
    expect(made.draft.notes.join(' ')).toMatch(/no definitions.*no messages/);
  });

  it('that holds only what was new is refused', async () => {
    const folder = await exported({ ...whole, full: false });
    await expect(draftOf(folder)).rejects.toMatchObject({
      reason: 'input',
      next: expect.arrayContaining([toCommand('export', 'PIPELINE', '--compact')]),
    });
  });

  it('is known by its file of contacts, too', async () => {
    const folder = await exported(whole);
    const file = format === 'ndjson' ? 'contacts.ndjson' : 'workspace.db';
    expect((await draftOf(join(folder, file))).draft.name).toBe('nightly-export');
  });
});

it('an export in CSV is drafted as any CSV', async () => {
  const folder = await exported({ format: 'csv', kinds: ['contacts'] });
  const made = await draftOf(join(folder, 'contacts.csv'));
  expect(made.draft).toMatchObject({ name: 'contacts', format: 'csv' });
});

it('the shipped mapping is what is drafted, but for its custom fields', async () => {
  const { draft: made } = await draftOf(
    await exported({ format: 'ndjson', kinds: ['contacts', 'messages', 'customFields'] }),
  );
  const shipped = readFileSync(join(root, 'mappings/workspace.yaml'), 'utf8');
  for (const line of shipped
    .split('\n')
    .filter((each) => /^(?:contact|tags|lifecycle|assignee|conversation):/.test(each)))
    expect(made.mapping.text).toContain(line);
});
