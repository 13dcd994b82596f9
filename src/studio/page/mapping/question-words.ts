import type { MappingEditRequest } from '../../wire/mapping.ts';
import { formatCount, formatDay, formatPercent } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';

type Answer = Extract<MappingEditRequest, { readonly kind: 'answer' }>['answer'];

/** One of the answers to a question, and the text of its button. */
export interface QuestionChoice {
  readonly label: string;
  readonly answer: Answer;
}

/** A question of a draft in the words of the page, with its possible answers. */
export interface WordedQuestion {
  readonly words: string;
  /** The answers of which one is chosen; absent if the question asks for something else. */
  readonly choices?: readonly QuestionChoice[];
  /** The name of the old system that is proposed for other keys; absent if the question is not about the system. */
  readonly otherSystem?: string;
}

interface QuestionForm {
  readonly pattern: RegExp;
  toWords(...found: string[]): WordedQuestion;
}

const rejectAndList: () => QuestionChoice = () => ({
  label: t('Reject these rows and list them'),
  answer: 'reject',
});

/** The questions of a draft that say how to type their answer, by their English text. */
const forms: readonly QuestionForm[] = [
  {
    pattern:
      /^(\d+) of (\d+) rows \(.+\) have more or fewer cells than the header, and not at the end of the row: .+ \((.+)\); write reject/,
    toWords: (rows = '', all = '', columns = '') => ({
      words: t(
        '{rows} of {all} rows ({percent}) have more or fewer cells than there are columns, and not at the end of the row. Filled up, they would have values in the wrong columns ({columns}).',
        { ...toShare(rows, all), columns },
      ),
      choices: [rejectAndList()],
    }),
  },
  {
    pattern: /^(\d+) of (\d+) rows \(.+\) have more or fewer cells than the header; write pad/,
    toWords: (rows = '', all = '') => ({
      words: t(
        '{rows} of {all} rows ({percent}) have more or fewer cells than there are columns. What is to be done with them?',
        toShare(rows, all),
      ),
      choices: [
        { label: t('Import short rows: what is missing at their end is empty'), answer: 'pad' },
        rejectAndList(),
      ],
    }),
  },
  {
    pattern:
      /^is this the CRM of run (\S+) of (\S+) \(([\d,]+) keys\)\? Then write (.+?); for another CRM write another name(?:, as (.+))?$/,
    toWords: (run = '', day = '', keys = '', system = '', other = '') => ({
      words: t(
        'Is this file from the same system as that of run {run} of {day}, which had {keys} keys? A key then stands for the same person as before.',
        { run, day: formatDay(`${day}T12:00`), keys: formatCount(toNumber(keys)) },
      ),
      choices: [{ label: t('The same system: {name}', { name: system }), answer: JSON.stringify(system) }],
      otherSystem: other,
    }),
  },
  {
    pattern: /^does "(.*)" in (.*) \(([\d,]+) rows?\) stand for nothing\? Write (".*") if so, or null/s,
    toWords: (text = '', column = '', rows = '', answer = '') => ({
      words: t('Does “{text}” in {column} stand for nothing ({n, plural, one {# row} other {# rows}})?', {
        text,
        column,
        n: toNumber(rows),
      }),
      choices: [
        { label: t('Yes: leave it empty'), answer },
        { label: t('No: import it as it is'), answer: null },
      ],
    }),
  },
  {
    pattern: /^03\/04 could be .+; write (\[.*\]) if the month comes first, (\[.*\]) if the day does$/,
    toWords: (month = '', day = '') => ({
      words: t('03/04 could be a day in March or in April.'),
      choices: [
        { label: t('The month comes first'), answer: month },
        { label: t('The day comes first'), answer: day },
      ],
    }),
  },
  {
    pattern: /^1(.)234 could be a decimal number or .+; write "(.)" for the first, "(.)" for the second$/,
    toWords: (mark = '', decimal = '', thousands = '') => ({
      words: t('1{mark}234 could be a number with decimals, or more than a thousand.', { mark }),
      choices: [
        { label: t('A number with decimals'), answer: JSON.stringify(decimal) },
        { label: t('More than a thousand'), answer: JSON.stringify(thousands) },
      ],
    }),
  },
  {
    pattern: /^which column identifies a row in the old system .+ false if there is none \((.+)\)$/,
    toWords: (found = '') => {
      const columns = /^filled and different in every row: (.+)$/.exec(found)?.[1];
      const asked = t('Which column identifies a row in the old system and never changes?');
      const hint =
        columns === undefined
          ? t('No column is filled and different in every row.')
          : t('Filled and different in every row: {columns}.', { columns });
      return { words: `${asked} ${hint}` };
    },
  },
  {
    pattern: /^which column holds the first name\?/,
    toWords: () => ({ words: t('Which column holds the first name?') }),
  },
  {
    pattern: /^which column holds the last name\?/,
    toWords: () => ({ words: t('Which column holds the last name? Choose the same one if it holds both.') }),
  },
  {
    pattern: /^which country are numbers without a country code from\?/,
    toWords: () => ({ words: t('Which country are the numbers without a country code from?') }),
  },
  {
    pattern:
      /^which country are phones from that have no country code, in a row without a country \(([\d,]+) rows?, e\.g\. (.+)\)\?/,
    toWords: (rows = '', example = '') => ({
      words: t(
        'Which country are phones without a country code from where the row names no country, such as {example} ({n, plural, one {# row} other {# rows}})?',
        { example, n: toNumber(rows) },
      ),
    }),
  },
  {
    pattern: /^which country is "(.*)" \(([\d,]+) rows?\)\?/s,
    toWords: (text = '', rows = '') => ({
      words: t('Which country is “{text}” ({n, plural, one {# row} other {# rows}})?', {
        text,
        n: toNumber(rows),
      }),
    }),
  },
  {
    pattern: /^which stage of the workspace is this\?/,
    toWords: () => ({ words: t('Which stage of the workspace is this?') }),
  },
  {
    pattern: /^the owners are .+; map each to a user of the workspace/,
    toWords: () => ({ words: t('Which user of the workspace is each owner of the old system?') }),
  },
  {
    pattern: /^no column has e-mail addresses or phone numbers;/,
    toWords: () => ({
      words: t('No column has e-mail addresses or phone numbers. Which one identifies the contact?'),
    }),
  },
];

function toNumber(figure: string): number {
  return Number(figure.replaceAll(',', ''));
}

function toShare(rows: string, all: string) {
  const [n, of] = [Number(rows), Number(all)];
  return { rows: formatCount(n), all: formatCount(of), percent: formatPercent(n, of) };
}

/** Returns a question in the words of the page, without how its answer is typed in YAML. */
export function wordQuestion(question: string): WordedQuestion {
  for (const { pattern, toWords } of forms) {
    const found = pattern.exec(question);
    if (found !== null) return toWords(...found.slice(1));
  }
  const words = translateEngineText(question);
  return { words: words.slice(0, 1).toUpperCase() + words.slice(1) };
}

const none =
  /^(?:-+|–|none|null|n\/a|(?:no|keine?|aucune?|ningun[oa]?|nenhuma?)(?: (?:stage|phase|etape|etapa))?)$/;

/** Returns true for a word such as `none` or `keine` that is no stage of the workspace. */
export function meansNoStage(answer: string, stages: readonly string[]): boolean {
  const plain = answer.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return none.test(plain) && !stages.some((stage) => stage.toLowerCase() === answer.toLowerCase());
}
