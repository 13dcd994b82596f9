import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import { output } from '../src/app/run/terminal/output.ts';
import { getCommandName } from '../src/cli/command.ts';
import { runCommandLine } from '../src/cli/command-line.ts';
import { commands } from '../src/cli/commands.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

type Banned = readonly [phrase: RegExp, instead: string];

/** Identifiers and phrases that are nowhere: in no code, comment, test or text. */
const everywhere: readonly Banned[] = [
  [/\bWhereabouts\b/, 'TargetFlags'],
  [/\bWorkshop\b/, 'WorkerContext'],
  [/\bExecutioner\b/, 'ProcessKiller'],
  [
    /\bURL\.canParse\(/,
    'tryParseUrl: Node 20 answers false for letters such as ü once the call is optimised',
  ],
  [/\bWroteValue\b/, 'WrittenValue'],
  [/\bSight\b/, 'MappingViewState'],
  [/\bStroke\b/, 'DrawnLine'],
  [/\bLexis\b/, 'SQL dialect'],
  [/\bastray\b/, 'unbalanced'],
  [/\bDemand\b/, 'precondition'],
  [/\bmisuse\b/, 'usage error'],
  [/\bheldOnly\b/, 'deferredOnly'],
  [/\btellOfDuplicates\b/, 'reportDuplicates'],
  [/\bmeetCreated\b/, 'resolveCreatedIds'],
  [/\btogetherOrNot\b/, 'failFast'],
  [/\bbearsOneOf\b/, 'hasValidToken'],
  [/\binquires\b/, 'postStream'],
  [/\bcarryOut\b/, 'run'],
  [/\basGiven\b/, 'raw'],
  [/\bkeepsGiven\b/, 'lossless'],
  [/\boddit(?:y|ies)\b/, 'warning'],
  [/\bovertakes\b/, 'mayArriveLate'],
  [/\bshowsLate\b/, 'eventuallyVisible'],
  [/\btakeBack\b/, 'revert'],
  [/\bletArrive\b/, 'await in flight'],
  [/\b(?:is|was) let reached\b/, 'accepted by the service'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\banew\b/i, 'again, start over'],
  [/\baloud\b/i, 'reported'],
  [/\ba command is missing\b/i, 'No command given.'],
  [/\bthere is no flag\b/i, 'Unknown option'],
  [/\bWRONG\b/, 'ERROR'],
  [/\bin truth\b/i, 'describe … people'],
  [/\btell who somebody is\b/i, 'used for matching'],
  [/\bno journal here\b/i, 'No runs found'],
  [/\bbroke off: the first page\b/i, '404 from …: does the base URL end in /v1?'],
  [/\btoken passes\b/i, 'token accepted'],
  [/\bworkspace refused it\b/i, '403: the token lacks permission for …'],
  [/\bnothing is expected\b/i, 'No minimum set'],
  [/\blook whether\b/i, 'please verify'],
  [/\ba mapping cannot name it\b/i, 'cannot be used in a mapping'],
  [/\bloads and unloads\b/i, 'imports and exports'],
  [/\band nothing twice\b/i, 'without doubling any'],
];

/** Phrases that are in no text for people, and still in comments or tests: one that is gone from these moves up. */
const inTexts: readonly Banned[] = [
  [/\bstands? (?:in|under|there|here|beside|behind|before|above)\b/i, 'is in, is under'],
  [/\b[Ss]tates? (?:it|one|which|where|that|what|the right|the encoding|["`'])/, 'set'],
  [/\bgo(?:es|ing)? on\b/i, 'continue, resume, retry'],
  [/\bt(?:akes?|aken|aking|ook) up\b/i, 'continue, retry, scope'],
  [/\bcarr(?:y|ies|ied) out\b/i, 'run, apply'],
  [/\btold\b(?! apart)/i, 'reported, sent'],
  [/\b(?:that|where it) (?:is|are) none\b/i, 'invalid'],
  [/\bleft to people\b/i, 'needs manual action'],
  [/\bleft to decide\b/i, 'questions to answer'],
  [/\bsomething is missing\b/i, 'Missing argument'],
  [/\bof every command\b/i, 'Global options'],
  [/^where to$/i, 'Target workspace'],
  [/^show this\b/i, 'Show help'],
  [/\bwhere a run stands\b/i, 'the status of a run'],
  [/\bstumbles?\b/i, 'problems'],
  [/\bon the wire\b/i, 'in flight'],
  [/\bwithout a word\b/i, 'unexpectedly'],
  [/\bsign of life\b/i, 'last seen'],
  [/\bfinds? out by reading\b/i, 'checks the workspace'],
  [/\bno workspace is named\b/i, 'No target workspace set'],
  [/\bin its place:/i, 'Export ready:'],
  [/\bcannot be known\b/i, 'known limits'],
  [/\bsomebody\b/i, 'someone, a person, or the passive'],
  [/\bnobody\b/i, 'no one, no person, unassigned'],
  [/\bbecomes? of\b/i, 'happens to'],
  [/\bswitchboard: |\bhalfSigns: |\binTheAir\b|\bphases: \{|--phase held/, 'the new name of the key'],
];

/** Returns the literals of a file, with an ellipsis for each inserted value. */
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

function filesIn(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path))
    .map((path) => `${folder}/${path}`);
}

/** `file: text → instead` for each text with one of the phrases. */
function found(
  file: string,
  texts: readonly string[],
  banned: readonly Banned[] = [...everywhere, ...inTexts],
): readonly string[] {
  // The changelog names the old keys.
  const refused = file === 'docs/CHANGELOG.md' ? banned.slice(0, -1) : banned;
  return texts.flatMap((text) =>
    refused.flatMap(([phrase, instead]) => {
      const at = text.search(phrase);
      return at < 0 ? [] : [`${file}: ${text.slice(Math.max(0, at - 60), at + 140).trim()} → ${instead}`];
    }),
  );
}

/** Joins wrapped lines, so that a phrase is found across them. */
function paragraphs(text: string): readonly string[] {
  return text.replaceAll(/\n(?:[ \t]*(?:#|>|\*|\/\/))? *(?=[a-z(`"])/g, ' ').split('\n');
}

describe('the phrases of the first drafts are in no text for people', () => {
  it('not in what the program says', () => {
    const files = filesIn('src', /\.tsx?$/);
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap((file) => found(file, literalsOf(join(root, file))))).toEqual([]);
  });

  it.each([['pipelines', /\.yaml$/] as const, ['mappings', /\.yaml$/] as const, ['docs', /\.md$/] as const])(
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
    for (const words of [[], ...commands.map((command) => [getCommandName(command)])]) {
      await runCommandLine([...words, '--help']);
    }
    result.mockRestore();
    expect(printed).toHaveLength(commands.length + 1);
    expect(printed.flatMap((text) => found('--help', paragraphs(text)))).toEqual([]);
  });
});

it('the banned identifiers and phrases are in no code, comment or test', () => {
  const files = ['src', 'test', '.config'].flatMap((folder) =>
    filesIn(folder, /\.(?:tsx?|mjs|cjs|css|html|sql)$/),
  );
  expect(files.length).toBeGreaterThan(1_000);
  const others = files.filter((file) => file !== 'test/words.test.ts');
  expect(
    others.flatMap((file) => found(file, paragraphs(readFileSync(join(root, file), 'utf8')), everywhere)),
  ).toEqual([]);
});
