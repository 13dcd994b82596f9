import { join } from 'node:path';
import { pathFrom } from '../pipeline-text.ts';
import type { Entry, Plain } from '../yaml/entry.ts';
import { yamlText } from '../yaml/text.ts';
import { workspaceMapping } from './workspace-mapping.ts';

/** Where the files of a draft belong, and where this package is. */
export interface DraftPlace {
  readonly out: string;
  readonly home: string;
}

/** What both files say. */
interface Contents {
  /** What they were drafted from. */
  readonly lines: readonly string[];
  /** Said in the pipeline alone. */
  readonly notes: readonly string[];
  readonly fields: readonly Entry[];
  readonly messages: boolean;
  readonly source: (pipelineFile: string) => Plain;
}

/** The mapping and the pipeline that move a workspace. */
export async function draftFiles({ out, home }: DraftPlace, name: string, contents: Contents) {
  const { lines, notes, fields, messages, source } = contents;
  const mappingFile = join(out, 'mappings', `${name}.yaml`);
  const pipelineFile = join(out, 'pipelines', `import-${name}.yaml`);
  const mapping = await workspaceMapping(home, {
    name,
    schema: pathFrom(mappingFile, join(home, 'mappings/schema.json')),
    lines: [...lines, 'Review it; what you remove here is not moved.'],
    fields,
    messages,
  });
  const schema = pathFrom(pipelineFile, join(home, 'pipelines/schema.json'));
  const pipeline = pipelineText([`yaml-language-server: $schema=${schema}`, ...lines, ...notes], {
    name: `import-${name}`,
    source: source(pipelineFile),
    mapping: pathFrom(pipelineFile, mappingFile),
  });
  return { mapping: { file: mappingFile, text: mapping }, pipeline: { file: pipelineFile, text: pipeline } };
}

function pipelineText(
  head: readonly string[],
  { name, source, mapping }: { readonly name: string; readonly source: Plain; readonly mapping: string },
): string {
  const entries: Entry[] = [
    { key: 'pipeline', value: { plain: name } },
    {
      key: 'import',
      value: {
        entries: [
          { key: 'source', value: { plain: source } },
          { key: 'mapping', value: { plain: mapping } },
          {
            key: 'policy',
            value: { plain: { onMatch: 'fill' } },
            above: ['Contacts that exist in the new workspace are only filled where they are empty.'],
          },
        ],
      },
    },
  ];
  return yamlText(head, entries, []);
}
