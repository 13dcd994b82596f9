import {
  compileMapping,
  mistakesOf,
  parseDocument,
  parseMapping,
  runExamples,
} from '../../../mapping/index.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { pipelineSchema } from '../../../pipeline/schema.ts';
import type { YamlFinding } from '../../wire/project.ts';
import { yamlKind } from './yaml-kind.ts';

/** What is wrong with the text of a mapping or a pipeline, as `check` says it, without the input. */
export function checkYaml(text: string, name: string): readonly YamlFinding[] {
  try {
    if (yamlKind(text) === 'mapping') return mappingFindings(text, name);
    parseDocument(text, name, pipelineSchema, 'pipeline');
    return [{ verdict: 'ok', text: 'No mistakes found in this file.' }];
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    return findingsOf(error);
  }
}

function mappingFindings(text: string, name: string): readonly YamlFinding[] {
  const mapping = parseMapping(text, name);
  compileMapping(mapping, {});
  const wrong = runExamples(mapping).filter((each) => !each.ok);
  if (wrong.length === 0) return [{ verdict: 'ok', text: 'No mistakes found in this file.' }];
  return wrong.map(({ message, line }) => ({ verdict: 'wrong', text: `example: ${message}`, line }));
}

/** Every mistake of a file with its place; what is about the whole file has none. */
function findingsOf(error: FatalError): readonly YamlFinding[] {
  const mistakes = mistakesOf(error);
  const next = error.next === undefined ? {} : { next: error.next };
  if (mistakes.length === 0) return [{ verdict: 'wrong', text: error.message, ...next }];
  return mistakes.map(({ line, column, key, reason }) => ({
    ...{ verdict: 'wrong', text: reason, line, column },
    ...(key !== '' && { key }),
  }));
}
