import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { Entry } from '../yaml/entry.ts';
import { yamlText } from '../yaml/text.ts';

/** What becomes of the shipped mapping of a workspace. */
export interface WorkspaceMapping {
  readonly name: string;
  readonly schema: string;
  readonly lines: readonly string[];
  readonly fields: readonly Entry[];
  readonly messages: boolean;
}

/** Where the shipped mapping lies in this package. */
const shipped = 'mappings/workspace.yaml';

/** These say what a contact was in the old workspace; they are fields of the new one alone. */
const ownFields: readonly string[] = ['Blocked before', 'Contact since'];

/** The shipped mapping of a workspace with other custom fields in the place of its examples. */
export async function workspaceMapping(home: string, wanted: WorkspaceMapping): Promise<string> {
  const document = parseDocument(await readFile(join(home, shipped), 'utf8'));
  const fields = mapAt(document, 'customFields');
  const kept = fields.items.filter(
    ({ key }) => ownFields.includes(nameOf(key)) && !wanted.fields.some((field) => field.key === nameOf(key)),
  );
  const made = parseDocument(yamlText([], [{ key: 'fields', value: { entries: wanted.fields } }], []));
  fields.items = [...(wanted.fields.length === 0 ? [] : mapAt(made, 'fields').items), ...kept];
  document.set('mapping', wanted.name);
  if (!wanted.messages) document.delete('comments');
  for (const test of testsOf(document)) adjust(test, wanted);
  if (document.contents !== null) document.contents.commentBefore = null;
  document.commentBefore = [`yaml-language-server: $schema=${wanted.schema}`, ...wanted.lines]
    .map((line) => ` ${line}`)
    .join('\n');
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

/** The shipped examples say nothing of these custom fields. */
function adjust(test: YAMLMap, { fields, messages }: WorkspaceMapping): void {
  const isExample = (name: string): boolean =>
    !ownFields.includes(name) || fields.some((field) => field.key === name);
  const row = test.get('row');
  if (isMap(row)) {
    row.items = row.items.filter(({ key }) => !nameOf(key).startsWith('customFields.'));
    if (!messages) row.delete('messages');
  }
  const expected = test.get('expect');
  if (!isMap(expected)) return;
  if (!messages) expected.delete('comments');
  const custom = expected.get('customFields');
  if (!isMap(custom)) return;
  custom.items = custom.items.filter(({ key }) => !isExample(nameOf(key)));
  if (custom.items.length === 0) expected.delete('customFields');
}

function testsOf(document: Document): readonly YAMLMap[] {
  const tests = document.get('tests');
  return isSeq(tests) ? tests.items.filter((test) => isMap(test)) : [];
}

function mapAt(document: Document, key: string): YAMLMap {
  const map = document.get(key);
  if (!isMap(map)) throw new Error(`${shipped} has no map "${key}".`);
  return map;
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : String(key);
}
