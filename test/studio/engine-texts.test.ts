import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatPossiblyDeletedNotes, formatRowFilterNotes } from '../../src/app/draft/input/left-out-rows.ts';
import { findPlanMismatch } from '../../src/app/import/agreed-plan.ts';
import { listNextSteps } from '../../src/app/import/report/next-steps.ts';
import { formatVerdictCause } from '../../src/app/verify/report/verification-text.ts';
import { contactFieldTypes } from '../../src/datatypes/index.ts';
import { formatEvidence } from '../../src/identity/evidence.ts';
import { findSlugMistakes } from '../../src/mapping/check/slugs.ts';
import { compileMapping, parseMapping } from '../../src/mapping/index.ts';
import type { RowCounts } from '../../src/model/outcome.ts';
import { detectEncodingByEvidence, EncodingEvidence } from '../../src/sources/encoding/detect.ts';
import { stepLabels } from '../../src/steps/registry.ts';
import { createTranslator } from '../../src/studio/page/language.ts';
import { usualInvocation } from '../invocation.ts';
import { rowOf } from '../mapping/rows.ts';

it.each(['de', 'es', 'fr', 'pt'])(
  'texts of the engine with values are shown in the words of %s',
  async (language) => {
    const { translateEngineText } = createTranslator(language, wordsOf(language));
    const english = (await engineTexts()).filter((text) => translateEngineText(text) === text);
    expect(english).toEqual([]);
  },
);

it('the values of a text stay as they are, but for those that are words of the engine', () => {
  const { translateEngineText } = createTranslator('de', wordsOf('de'));
  expect(translateEngineText('"1, 2" is not an e-mail address: it has no @.')).toBe(
    '"1, 2" ist keine E-Mail-Adresse: Das @ fehlt.',
  );
  expect(translateEngineText('is this the person of line 7? same e-mail; the names match')).toBe(
    'Ist das die Person aus Zeile 7? Gleich: E-Mail; die Namen stimmen überein',
  );
  expect(
    translateEngineText('Fix the 1,977 rows in the file, or fix the mapping; then retry only these rows'),
  ).toBe(
    'Korrigieren Sie 1.977 Zeilen in der Datei oder die Zuordnung; dann nur diese Zeilen erneut versuchen',
  );
  expect(translateEngineText('something new')).toBe('something new');
});

it('a reason of two sentences has no English sentence in it', () => {
  const { translateEngineText } = createTranslator('de', wordsOf('de'));
  const fields = { email: '{ from: E }', phone: '{ from: P, country: DE, onInvalid: drop }' };
  for (const identify of ['email, phone', 'email', 'phone']) {
    const contact = `email: ${fields.email}, phone: ${fields.phone}`;
    const text = `mapping: m\nidentify: [${identify}]\ncontact: { ${contact} }\n`;
    const mapped = compileMapping(parseMapping(text, 'mapping'))(rowOf({ P: 'none' }));
    const reason = mapped.ok ? '' : (mapped.problems[0]?.reason ?? '');
    expect(translateEngineText(reason)).not.toMatch(/The row|without one/);
    expect(translateEngineText(reason)).toMatch(/^Die Zeile hat /);
  }
});

it('a value that occurs twice in a message is the same in the text', () => {
  const { translateEngineText } = createTranslator('de', wordsOf('de'));
  const note = (encoding: string) =>
    `The encoding was guessed: latin1. Set "encoding: ${encoding}" (or the right one) to be sure.`;
  expect(translateEngineText(note('latin1'))).toMatch(/^Die Zeichenkodierung wurde geraten: latin1\./);
  expect(translateEngineText(note('utf-8'))).toBe(note('utf-8'));
});

it('in English the page names its own controls instead of options of the command line', () => {
  const { translateEngineText } = createTranslator('en', wordsOf('en'));
  expect(
    translateEngineText('The people are in the sheet "A"; not read: "B". Choose another with --sheet.'),
  ).toBe('The people are in the sheet "A"; not read: "B". You can choose another under Sheet.');
  expect(translateEngineText('the run created this tag; tags are deleted only with --delete-tags')).toBe(
    'created by the run; tags are deleted only if you choose it above',
  );
  expect(translateEngineText('3 rows are blank: left out by "skipEmpty", and counted as filtered.')).toBe(
    '3 rows are blank and are left out.',
  );
  expect(translateEngineText('Check the network and the base URL.')).toBe(
    'Check the network and the address of the workspace.',
  );
  expect(translateEngineText(leftOutComment)).toBe(
    'the comment “origin” was left out: the contact was there before. To send it with the next import, tick “Send them to these contacts, too” in the plan',
  );
});

it.each(['de', 'en', 'es', 'fr', 'pt'])('in %s, a reason that an undo counts fits any number', (language) => {
  const { translateEngineText } = createTranslator(language, wordsOf(language));
  const reasons = [
    'contact, and the interface cannot delete one',
    'tag; tags are deleted only with --delete-tags',
  ];
  for (const reason of reasons)
    expect(translateEngineText(`the run created this ${reason}`)).not.toMatch(
      /\b(this|diesen?|dieses|este|esta|ce|cette)\b|--/,
    );
});

it.each(['de', 'en', 'es', 'fr', 'pt'])(
  'in %s no text of the engine asks for YAML or an option',
  (language) => {
    const { translateEngineText } = createTranslator(language, wordsOf(language));
    const country = contactFieldTypes.countryCode.parse('Atlantis', undefined);
    const texts = [
      leftOutComment,
      ...(country.ok ? [] : [country.reason]),
      'users and list values not checked against the workspace: use check --online',
      'The file is UTF-8, but 4 places are not: those rows are rejected (row.encoding). If it is another encoding, set "encoding".',
      'The row holds the byte 0xFC that the file\'s encoding does not have there. Save the file in one encoding, or set "encoding".',
      'Whether a tag exists can only be asked by a write: each takes one PUT, and one POST if it is missing.',
    ];
    const shown = texts.map(translateEngineText);
    expect(shown.filter((text) => /--online|: send|values:|row\.encoding|"encoding"|PUT/.test(text))).toEqual(
      [],
    );
    expect(shown.filter((text) => texts.includes(text))).toEqual([]);
  },
);

const leftOutComment =
  'comment origin was left out: the contact was there before; "comments.existing: send" sends it with the next import';

function wordsOf(language: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(`src/studio/page/words/${language}.json`, 'utf8'));
}

/** Returns texts that the engine makes of values. */
async function engineTexts(): Promise<readonly string[]> {
  const evidence = new EncodingEvidence();
  evidence.feed(Buffer.from('Name\nJ\xfcrgen Gro\xdf\n', 'latin1'));
  evidence.end();
  return [
    ...(await detectEncodingByEvidence(evidence)).notes,
    ...wrongCells(),
    ...planMismatches(),
    ...nextSteps(),
    ...(['differ', 'match', 'first', 'family'] as const).map((names) =>
      formatEvidence({ equal: ['email', 'phone'], names, birthDatesDiffer: names === 'match' }),
    ),
    formatVerdictCause('cannotVerify', ''),
    ...stepLabels.map(({ label }) => label),
    ...draftNotes(),
    ...slugMistakes(),
  ];
}

function draftNotes(): readonly string[] {
  const totals = [{ line: 9, column: 'Name', label: 'Total' }];
  const repeated = { line: 5, column: 'Name', label: 'Name' };
  const deleted = { Deleted: '0' };
  return [1, 2].flatMap((n) => [
    ...formatRowFilterNotes({ blank: n, totals, repeatedHeader: { ...repeated, rows: n } }, deleted, {
      rows: n,
      of: 9,
    }),
    ...formatPossiblyDeletedNotes(
      [{ where: { Archived: 'no' }, words: '"Archived" says so', rows: n }],
      {},
      9,
    ),
  ]);
}

function slugMistakes(): readonly string[] {
  const { mapping } = parseMapping(
    `mapping: m
contact: { email: { from: E } }
customFields:
  Plan: { from: P, type: text, create: true, slug: plan }
  Level: { from: L, type: text, create: true, slug: plan }
`,
    'mapping',
  );
  return [...findSlugMistakes(mapping, []).values()];
}

function wrongCells(): readonly string[] {
  const emails = ['keine@', 'keine', 'a@@b.de'];
  const phones = ['unbekannt', 'keine 12', '030 2345007', '+49 1', '+999 123456'];
  return [
    ...emails.map((cell) => contactFieldTypes.email.parse(cell, undefined)),
    ...phones.map((cell) => contactFieldTypes.phone.parse(cell, undefined)),
  ].map((parsed) => (parsed.ok ? `valid: ${parsed.value}` : parsed.reason));
}

function planMismatches(): readonly string[] {
  const now = {
    ...{ pipeline: 'p', place: 'w', input: 'i', mapping: 'm', full: false, session: 1 },
    selection: { kind: 'all' } as const,
  };
  const facts = { ...now, target: 'https://w.test/v1' };
  const differing = [{ pipeline: 'q' }, { place: 'x' }, { input: 'j' }, { mapping: 'n' }, { session: 2 }];
  return differing.map((each) => findPlanMismatch({ ...facts, ...each }, now) ?? 'usable');
}

const noRows: RowCounts = {
  ...{ read: 9, created: 9, updated: 0, merged: 0, folded: 0, unchanged: 0, skipped: 0, filtered: 0 },
  ...{ proposed: 0, stale: 0, rejected: 0, failed: 0, uncertain: 0, notReached: 0 },
};

function nextSteps(): readonly string[] {
  const after = (rejected: number, outcome: 'finished' | 'stopped', gone: number) =>
    listNextSteps(
      {
        ...{ run: 'R1', outcome, exitCode: 3, gone, manual: { proposals: 0, questions: 0 } },
        ...{ selection: { kind: 'all' }, files: { gone: 'gone.csv' } },
        rows: { ...noRows, rejected },
      },
      { pipelineFile: 'p.yaml', invocation: usualInvocation },
    ).map(({ why }) => why);
  return [
    ...after(1, 'finished', 0),
    ...after(2, 'finished', 8),
    ...after(2, 'stopped', 0),
    ...after(0, 'finished', 1),
  ];
}
