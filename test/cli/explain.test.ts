import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  getCompletedRunExitCode,
  getFatalReasonExitCode,
  getLostOutputExitCode,
} from '../../src/app/run/exit-code.ts';
import { Output } from '../../src/app/run/terminal/output.ts';
import { Screen } from '../../src/app/run/terminal/screen.ts';
import { exitCodeExplanations } from '../../src/cli/explain/exit-codes.ts';
import {
  codeExplanations,
  findExplanation,
  listExpandedExplanations,
  runExplain,
} from '../../src/cli/explain/explain.ts';
import { rowCodeExplanations } from '../../src/cli/explain/row-codes.ts';
import type { FatalReason } from '../../src/model/fatal-error.ts';
import type { RowCounts } from '../../src/model/outcome.ts';
import { TerminalStream } from '../report/terminal-stream.ts';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** Names with a dot that are no problem of a row: operations of the interface, and columns of an export. */
const otherNames =
  /^(tags\.(create|update|remove)|customFields\.(create|list)|assignee\.(id|firstName|lastName|email))$/;
const codeLike =
  /^(row|identity|workspace|comments|conversation|lifecycle|assignee|tags|firstName|lastName|email|phone|customFields|undo)\.[a-z][A-Za-z]+$/;

interface Codes {
  /** As they are written in the sources: `row.ragged`. */
  readonly whole: Set<string>;
  /** Behind a field that is only known at run time: `invalid`. */
  readonly endings: Set<string>;
  /** Codes that are put together of what is not known here. */
  readonly unknown: Set<string>;
}

/** Every code that the sources can give a row, found in the syntax tree of each file. */
function producedCodes(): Codes {
  const codes: Codes = { whole: new Set(), endings: new Set(), unknown: new Set() };
  const roots = ['datatypes', 'mapping', 'sources', 'identity', 'steps', 'app', 'journal'];
  for (const root of roots) {
    // What is wrong with a record of a source is no ending: it has a whole code, as `row.quote`.
    const found = root === 'sources' ? { ...codes, endings: new Set<string>() } : codes;
    for (const path of readdirSync(join(src, root), { recursive: true, encoding: 'utf8' })) {
      // The kinds of loss only name codes that arise elsewhere; the target is about no row.
      const isOfNoRow = [join('run', 'left-behind', 'kinds.ts'), join('run', 'target.ts')].includes(path);
      if (!path.endsWith('.ts') || isOfNoRow) continue;
      const text = readFileSync(join(src, root, path), 'utf8');
      collect(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true), found);
    }
  }
  return codes;
}

function collect(node: ts.Node, codes: Codes): void {
  const named = ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) ? node.name.text : undefined;
  if (ts.isPropertyAssignment(node) && named === 'problem' && ts.isStringLiteral(node.initializer)) {
    codes.endings.add(node.initializer.text);
  }
  if (ts.isPropertyAssignment(node) && named === 'code' && ts.isTemplateExpression(node.initializer)) {
    const ending = node.initializer.templateSpans.at(-1)?.literal.text ?? '';
    if (/^\.[a-zA-Z]+$/.test(ending)) codes.endings.add(ending.slice(1));
    else codes.unknown.add(node.initializer.getText().replaceAll('$', ''));
  }
  if (ts.isPropertyAssignment(node) && named === 'code' && ts.isStringLiteral(node.initializer)) {
    if (node.initializer.text.includes('.')) codes.whole.add(node.initializer.text);
  }
  if (ts.isStringLiteralLike(node) && codeLike.test(node.text) && !otherNames.test(node.text)) {
    codes.whole.add(node.text);
  }
  ts.forEachChild(node, (child) => collect(child, codes));
}

const produced = producedCodes();

describe('every code that a row can have is explained', () => {
  it.each([...produced.whole].sort())('%s', (code) => {
    expect(findExplanation(code)).toMatchObject({ code });
  });

  it.each([...produced.endings].sort())('a field with the ending %s', (ending) => {
    // Some endings are those of one field alone.
    const fields = ['customFields.Plan', 'email', 'lifecycle'];
    expect(fields.map((field) => findExplanation(`${field}.${ending}`)).find(Boolean)).toBeDefined();
  });

  it.each(['assignee.folded', 'conversation.folded', 'assignee.kept', 'lifecycle.kept'])(
    '%s, too',
    (code) => {
      expect(findExplanation(code)).toMatchObject({ code });
    },
  );

  it('and none is put together in another way: an ending is a literal, or a problem of a data type', () => {
    // The second is the name of a field, which an ending is put behind.
    expect([...produced.unknown].sort()).toEqual([
      '`customFields.{name}`',
      '`tags.{error.problem}`',
      '`{code}.{problem}`',
    ]);
  });

  it('and nothing is explained that no row can have', () => {
    const known = [...produced.whole, ...[...produced.endings].map((ending) => `<field>.${ending}`)];
    const isOfField = (code: string) => produced.endings.has(code.split('.').at(-1) ?? '');
    const orphans = rowCodeExplanations.filter(({ code }) => !known.includes(code) && !isOfField(code));
    expect(orphans).toEqual([]);
  });
});

describe('every exit code is explained', () => {
  // A record, so that a new reason cannot be left out.
  const codesOfReasons: Readonly<Record<FatalReason, number>> = {
    usage: getFatalReasonExitCode('usage'),
    input: getFatalReasonExitCode('input'),
    budget: getFatalReasonExitCode('budget'),
    guard: getFatalReasonExitCode('guard'),
    timeout: getFatalReasonExitCode('timeout'),
    unauthorized: getFatalReasonExitCode('unauthorized'),
    locked: getFatalReasonExitCode('locked'),
    unreachable: getFatalReasonExitCode('unreachable'),
    interrupted: getFatalReasonExitCode('interrupted'),
    unexpected: getFatalReasonExitCode('unexpected'),
  };
  const oneRejected: RowCounts = {
    read: 1,
    created: 0,
    updated: 0,
    merged: 0,
    folded: 0,
    unchanged: 0,
    skipped: 0,
    filtered: 0,
    proposed: 0,
    stale: 0,
    rejected: 1,
    failed: 0,
    uncertain: 0,
    notReached: 0,
  };
  const all = new Set([
    0,
    ...Object.values(codesOfReasons),
    ...(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((signal) =>
      getFatalReasonExitCode('interrupted', signal),
    ),
    getCompletedRunExitCode(oneRejected),
    getLostOutputExitCode(0),
  ]);

  it.each([...all])('%i', (code) => {
    expect(findExplanation(String(code))).toMatchObject({ code: String(code) });
    for (const typed of [`exit ${code}`, `exit code ${code}`, `EXIT${code}`]) {
      expect(findExplanation(typed)).toBe(findExplanation(String(code)));
    }
  });

  it('and no other', () => {
    expect(exitCodeExplanations.map(({ code }) => Number(code)).sort((a, b) => a - b)).toEqual(
      [...all].sort((a, b) => a - b),
    );
  });

  it('as in the README', () => {
    const readme = readFileSync(join(src, '../README.md'), 'utf8');
    const [, listing = ''] = /^Exit codes: ([\s\S]*?)\n\n/m.exec(readme) ?? [];
    const sentence = listing.split('\n[')[0] ?? '';
    const listed = [...sentence.matchAll(/(?:^|· |and )(\d+)\b/g)].map(([, code]) => code);
    expect(listed).toEqual(exitCodeExplanations.map(({ code }) => code));
  });
});

describe('longshore explain', () => {
  function shown(typed: string | undefined, columns: number): string {
    const out = new TerminalStream(true, columns);
    const screen = new Screen({ json: false, quiet: false }, new Output(out, out, { NO_COLOR: '1' }));
    expect(runExplain(typed, screen)).toBe(0);
    return out.text;
  }

  it('says what a code of a field means, what an example is, and what to do', () => {
    expect(shown('customFields.Plan.notAllowed', 100)).toBe(
      `customFields.Plan.notAllowed
  Meaning  The value is not allowed for this field.
  Example  Platinum, where the list has gold and silver.
  Next     Map it under values, or add it to the field's list (allowed, and the field of the
           workspace).
`,
    );
  });

  it.each([undefined, ...codeExplanations.map(({ code }) => code)])('of %s fits into 60 columns', (code) => {
    const widths = shown(code, 60)
      .split('\n')
      .map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(60);
  });

  it('lists every code', () => {
    for (const { code } of codeExplanations) expect(shown(undefined, 80)).toContain(`  ${code}\n`);
  });

  it.each(listExpandedExplanations().map(({ code }) => code))('%s is understood as it is typed', (code) => {
    expect(findExplanation(code)).toMatchObject({ code });
  });

  it.each(['email', 'email.', 'nobody.invalid', '8', 'exit', ''])('%j is no code', (code) => {
    expect(findExplanation(code)).toBeUndefined();
  });
});
