import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import { output } from '../src/app/run/terminal/output.ts';
import { nameOf } from '../src/cli/command.ts';
import { runCommandLine } from '../src/cli/command-line.ts';
import { commands } from '../src/cli/commands.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What still has some of these phrases and is being rewritten. */
const notRewrittenYet: readonly string[] = [];

/** Phrases that nobody says to a colleague, each with what is said instead. */
const phrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\banew\b/i, 'again, start over'],
  [/\bstands? (?:in|under|there|here|beside|behind|before|above)\b/i, 'is in, is under'],
  [/\b[Ss]tates? (?:it|one|which|where|that|what|the right|the encoding|["`'])/, 'set'],
  [/\bgo(?:es|ing)? on\b/i, 'continue, resume, retry'],
  [/\bt(?:akes?|aken|aking|ook) up\b/i, 'continue, retry, scope'],
  [/\bcarr(?:y|ies|ied) out\b/i, 'run, apply'],
  [/\bsaid aloud\b/i, 'reported'],
  [/\btold\b(?! apart)/i, 'reported, sent'],
  [/\b(?:that|where it) (?:is|are) none\b/i, 'invalid'],
  [/\bleft to people\b/i, 'needs manual action'],
  [/\bleft to decide\b/i, 'questions to answer'],
  [/\ba command is missing\b/i, 'No command given.'],
  [/\bthere is no flag\b/i, 'Unknown option'],
  [/\bsomething is missing\b/i, 'Missing argument'],
  [/\bof every command\b/i, 'Global options'],
  [/^where to$/i, 'Target workspace'],
  [/^show this\b/i, 'Show help'],
  [/\bwhere a run stands\b/i, 'the status of a run'],
  [/\bstumbles?\b/i, 'problems'],
  [/\bWRONG\b/, 'ERROR'],
  [/\bin truth\b/i, 'describe … people'],
  [/\btell who somebody is\b/i, 'used for matching'],
  [/\bon the wire\b/i, 'in flight'],
  [/\bwithout a word\b/i, 'unexpectedly'],
  [/\bsign of life\b/i, 'last seen'],
  [/\bfinds? out by reading\b/i, 'checks the workspace'],
  [/\bno journal here\b/i, 'No runs found'],
  [/\bno workspace is named\b/i, 'No target workspace set'],
  [/\bbroke off: the first page\b/i, '404 from …: does the base URL end in /v1?'],
  [/\btoken passes\b/i, 'token accepted'],
  [/\bworkspace refused it\b/i, '403: the token lacks permission for …'],
  [/\bin its place:/i, 'Export ready:'],
  [/\bcannot be known\b/i, 'known limits'],
  [/\bnothing is expected\b/i, 'No minimum set'],
  [/\blook whether\b/i, 'please verify'],
  [/\ba mapping cannot name it\b/i, 'cannot be used in a mapping'],
  [/\bnobody can read it back\b/i, 'cannot be verified through the API'],
  [/\bloads and unloads\b/i, 'imports and exports'],
  [/\band nothing twice\b/i, 'without doubling any'],
  [/\bswitchboard: |\bhalfSigns: |\binTheAir\b|\bphases: \{|--phase held/, 'the new name of the key'],
];

/** What a file says in its literals; where something is put in, an ellipsis. */
function literalsOf(path: string): readonly string[] {
  const texts: string[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(({ literal }) => literal.text);
      texts.push([node.head.text, ...spans].join('…'));
    }
    ts.forEachChild(node, collect);
  };
  collect(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true));
  return texts;
}

function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => `${folder}/${path}`)
    .filter((path) => !notRewrittenYet.some((each) => path.startsWith(each)));
}

/** `file: text → instead` for each text with one of the phrases. */
function found(file: string, texts: readonly string[]): readonly string[] {
  // The changelog says what the keys were called before.
  const refused = file === 'docs/CHANGELOG.md' ? phrases.slice(0, -1) : phrases;
  return texts.flatMap((text) =>
    refused
      .filter(([phrase]) => phrase.test(text))
      .map(([, instead]) => `${file}: ${text.trim().slice(0, 200)} → ${instead}`),
  );
}

/** Lines that are wrapped are read as one, so that a phrase is found across them. */
function paragraphs(text: string): readonly string[] {
  return text.replaceAll(/\n(?:[ \t]*(?:#|>|\*))? *(?=[a-z(`"])/g, ' ').split('\n');
}

describe('the phrases of the first drafts are in no text for people', () => {
  it('not in what the program says', () => {
    const files = [...filesIn('src', '.ts'), ...filesIn('src', '.tsx')];
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => found(file, literalsOf(join(root, file))))).toEqual([]);
  });

  it.each([['pipelines', '.yaml'] as const, ['mappings', '.yaml'] as const, ['docs', '.md'] as const])(
    'not in %s',
    (folder, ending) => {
      const files = filesIn(folder, ending);
      expect(files).not.toEqual([]);
      expect(
        files.flatMap((file) => found(file, paragraphs(readFileSync(join(root, file), 'utf8')))),
      ).toEqual([]);
    },
  );

  it('not in the README', () => {
    expect(found('README.md', paragraphs(readFileSync(join(root, 'README.md'), 'utf8')))).toEqual([]);
  });

  it('not in the help of the commands', async () => {
    const printed: string[] = [];
    const result = vi.spyOn(output, 'result').mockImplementation((text) => {
      printed.push(text);
    });
    for (const words of [[], ...commands.map((command) => [nameOf(command)])]) {
      await runCommandLine([...words, '--help']);
    }
    result.mockRestore();
    expect(printed).toHaveLength(commands.length + 1);
    expect(printed.flatMap((text) => found('--help', paragraphs(text)))).toEqual([]);
  });
});

/** Names that a newcomer had to learn first, each with the one that it has now. */
const identifiers = {
  Whereabouts: 'TargetFlags',
  Workshop: 'WorkerContext',
  Executioner: 'ProcessKiller',
  WroteValue: 'WrittenValue',
  heldOnly: 'deferredOnly',
  tellOfDuplicates: 'reportDuplicates',
  meetCreated: 'resolveCreatedIds',
  togetherOrNot: 'failFast',
  bearsOneOf: 'hasValidToken',
  inquires: 'postStream',
} as const;

it('the names of the first drafts are in no code, comment or test', () => {
  const old = new RegExp(`\\b(?:${Object.keys(identifiers).join('|')})\\b`);
  const files = ['src', 'test'].flatMap((folder) => [...filesIn(folder, '.ts'), ...filesIn(folder, '.tsx')]);
  const hits = files
    .filter((file) => file !== 'test/words.test.ts')
    .flatMap((file) => {
      const [name] = old.exec(readFileSync(join(root, file), 'utf8')) ?? [];
      return name === undefined ? [] : [`${file}: ${name}`];
    });
  expect(hits).toEqual([]);
});
