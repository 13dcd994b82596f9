import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Document, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { parseYamlMap } from '../../../mapping/index.ts';
import {
  buildDraftPaths,
  type DraftFolders,
  type DraftPaths,
  formatDraftPipelineYaml,
} from '../pipeline-text.ts';
import type { YamlEntry, YamlValue } from '../yaml/entry.ts';
import { formatYamlFile } from '../yaml/text.ts';

/** The path of the shipped mapping in this package. */
const shipped = 'mappings/workspace.yaml';

/** Fields that the shipped mapping creates in the new workspace, for facts about the contact in the old workspace. */
const ownFields: readonly string[] = ['Blocked before', 'Contact since'];

/** Returns the shipped mapping of a workspace, with the wanted custom fields in place of its examples. */
async function workspaceMapping(
  home: string,
  { name, mappingSchema }: DraftPaths,
  wanted: Contents,
): Promise<string> {
  const document = parsed(await readFile(join(home, shipped), 'utf8'));
  const fields = mapAt(document, 'customFields');
  const kept = fields.items.filter(
    ({ key }) => ownFields.includes(nameOf(key)) && !wanted.fields.some((field) => field.key === nameOf(key)),
  );
  const made = parsed(formatYamlFile([], [{ key: 'fields', value: { entries: wanted.fields } }], []));
  fields.items = [...(wanted.fields.length === 0 ? [] : mapAt(made, 'fields').items), ...kept];
  document.set('mapping', name);
  if (!wanted.messages) document.delete('comments');
  for (const test of testsOf(document)) adjust(test, wanted);
  if (document.contents !== null) document.contents.commentBefore = null;
  document.commentBefore = [mappingSchema, ...wanted.lines, 'Review it; what you remove here is not moved.']
    .map((line) => ` ${line}`)
    .join('\n');
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}

function parsed(text: string): Document {
  const document = parseYamlMap(text);
  if ('mistake' in document) throw new Error(`${shipped} cannot be read: ${document.mistake}`);
  return document;
}

/**
 * Removes from a shipped example test its example fields, and its messages if the draft has none. The fields
 * of `ownFields` stay, unless the workspace has a field of that name.
 */
function adjust(test: YAMLMap, { fields, messages }: Contents): void {
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

/** The contents of both files. */
interface Contents {
  /** Lines about what the files were drafted from. */
  readonly lines: readonly string[];
  /** Notes for the pipeline only. */
  readonly notes: readonly string[];
  readonly fields: readonly YamlEntry[];
  readonly messages: boolean;
  readonly source: (pipelineFile: string) => YamlValue;
}

const onlyFill: YamlEntry = {
  key: 'policy',
  value: { plain: { onMatch: 'fill' } },
  above: ['Contacts that exist in the new workspace are only filled where they are empty.'],
};

/** Returns the mapping and the pipeline that move a workspace. */
export async function buildWorkspaceDraftFiles(place: DraftFolders, name: string, contents: Contents) {
  const { lines, notes, source } = contents;
  const paths = buildDraftPaths(place, name);
  const pipeline = formatDraftPipelineYaml(paths, [...lines, ...notes], source(paths.pipeline), [onlyFill]);
  return {
    mapping: { file: paths.mapping, text: await workspaceMapping(place.home, paths, contents) },
    pipeline: { file: paths.pipeline, text: pipeline },
  };
}
