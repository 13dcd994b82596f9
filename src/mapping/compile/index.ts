import { type ParsedCell, quoteCell, trimWhiteSpace } from '../../datatypes/index.ts';
import type { ContactFields } from '../../model/contact.ts';
import type { CustomField } from '../../model/custom-field.ts';
import { type CommentDraft, type Draft, type MappingResult, maxCommentLength } from '../../model/draft.ts';
import type { Problem } from '../../model/problem.ts';
import type { Row } from '../../model/row.ts';
import type { User } from '../../model/user.ts';
import { checkClosingNote } from '../check/names.ts';
import type { MistakeReporter, YamlMistake } from '../document/mistake.ts';
import type { LoadedMapping } from '../load.ts';
import { type CommentEntry, type CommentsRule, listCommentEntries } from '../schema/comments.ts';
import { findBirthDateField } from '../schema/custom-fields.ts';
import type { LifecycleRule } from '../schema/lifecycle.ts';
import type { TagsRule } from '../schema/tags.ts';
import type { Mapping } from '../schema.ts';
import { compileAssignee, noAssignee } from './assignee.ts';
import { compileValueCandidates } from './candidates.ts';
import {
  type CommentEntryWithEach,
  compileCommentCellConversion,
  compileCommentsOfLists,
  compileNeeds,
} from './comments.ts';
import { compileConversation } from './conversation.ts';
import { compileField } from './field.ts';
import { compileContact, compileCustomFields } from './fields.ts';
import { addDiagnostics, type RowDiagnostics } from './findings.ts';
import { joinChunksEscapingMentions } from './mention.ts';
import { compilePlaceholderRemoval } from './placeholders.ts';
import { compileTemplate, type TemplateChunk, withoutEmptyLines } from './template.ts';

const words = { email: 'e-mail address', phone: 'phone number' } as const;

/**
 * Adds the problem `identity.missing` for a row without an identifier, unless a problem with its e-mail or phone is
 * already reported.
 */
function checkIdentity(
  identify: Mapping['identify'],
  contact: ContactFields,
  { problems, notes }: RowDiagnostics,
): void {
  if (identify.some((name) => contact[name])) return;
  // An invalid identifier has been reported already; "missing" would repeat it.
  if (problems.some(({ code }) => /^(?:email|phone)\./.test(code))) return;
  const none = `The row has no ${identify.map((name) => words[name]).join(' and no ')}: without one, a contact cannot be found or created.`;
  // The notes of a rejected row are not reported, so this reason repeats why its e-mail or phone was left out.
  const leftOut = notes
    .filter(({ code }) => identify.some((name) => code.startsWith(`${name}.`)))
    .map((note) => note.reason);
  const reason = [none, ...new Set(leftOut)].join(' ');
  problems.push({ code: 'identity.missing', column: null, reason });
}

/** The data of the workspace that a mapping uses; a part that is left out is unknown, as in an offline check. */
export interface CompileContext {
  /** List values are checked against these. */
  readonly customFields?: readonly CustomField[];
  /** Assignees are found among these. */
  readonly users?: readonly User[];
  /** The names of the closing notes. */
  readonly closingNotes?: readonly string[];
}

/**
 * Compiles a mapping to a pure function from a row to a draft or to the problems of the row. Throws a FatalError
 * (usage) for invalid values in the mapping, such as a default of another type or an unknown closing note.
 */
export function compileMapping(
  loaded: LoadedMapping,
  context: CompileContext = {},
): (row: Row) => MappingResult {
  const read = compileDraftWithProblems(loaded, context);
  return (row) => {
    const { draft, problems } = read(row);
    return problems.length > 0 ? { ok: false, key: draft.key, problems, draft } : { ok: true, draft };
  };
}

/** The draft of a row, also of a rejected one, and the problems that reject it. */
export interface DraftWithProblems {
  readonly draft: Draft;
  /** Empty where the row is not rejected. */
  readonly problems: readonly Problem[];
}

/**
 * Compiles a mapping as `compileMapping` does, to a function that returns the draft of every row, also of a rejected
 * one.
 */
export function compileDraftWithProblems(
  loaded: LoadedMapping,
  context: CompileContext = {},
): (row: Row) => DraftWithProblems {
  const mistakes: YamlMistake[] = [];
  const note: MistakeReporter = (path, message) => {
    mistakes.push(loaded.mistake(path, message));
  };
  const { mapping } = loaded;
  const { tags, lifecycle, assignee, conversation, comments } = mapping;
  const withoutPlaceholders = compilePlaceholderRemoval(mapping.empty);
  const readContact = compileContact(mapping, note);
  const readCustomFields = compileCustomFields(mapping.customFields, context.customFields, note);
  const birthDateField = findBirthDateField(mapping.customFields);
  const readTags = tags ? compileTags(tags) : nothing;
  const readLifecycle = lifecycle ? compileLifecycle(lifecycle) : nothing;
  const readAssignee = assignee ? compileAssignee(assignee, context.users, note) : () => noAssignee;
  const readConversation = conversation ? compileConversation(conversation) : nothing;
  const readComments = comments ? compileComments(comments) : nothing;
  const noSuchNote = checkClosingNote(conversation?.category, context.closingNotes);
  if (noSuchNote !== undefined) note(['conversation', 'category'], noSuchNote);
  if (mistakes.length > 0) throw loaded.refusal(mistakes);

  return (raw) => {
    const row = withoutPlaceholders(raw);
    const found: RowDiagnostics = { problems: [], notes: [] };
    const key = keyOf(row, mapping.key);
    const contact = readContact(row, found);
    const customFields = readCustomFields(row, found);
    checkIdentity(mapping.identify, contact.values, found);
    const { assignee, mention } = readAssignee(row, found);
    const draft: Draft = {
      key,
      emailAsWritten: contact.emailAsWritten,
      ...(contact.furtherIdentifiers && { furtherIdentifiers: contact.furtherIdentifiers }),
      values: { contact: contact.values, customFields: { ...customFields.values, ...contact.further } },
      ...(birthDateField !== undefined && { birthDateField }),
      defaults: { contact: contact.defaults, customFields: customFields.defaults },
      ...readTags(row, found),
      ...readLifecycle(row, found),
      ...(assignee && { assignee }),
      ...readConversation(row, found),
      ...readComments(row, mention, found),
      dropped: found.notes,
    };
    return { draft, problems: found.problems };
  };
}

/** Returns the key of a row, after the sheet if the row has one: `7`, `North/7`; null for an empty key. */
function keyOf(row: Row, column: string | undefined): string | null {
  const key = column === undefined ? '' : trimWhiteSpace(row.cell(column) ?? '');
  if (key === '') return null;
  return row.sheet === undefined ? key : `${row.sheet}/${key}`;
}

/** Returns the empty part of a draft, for a part that the mapping does not have. */
function nothing(): Partial<Draft> {
  return {};
}

/**
 * Compiles `tags:`. The tags of a row are unique without regard to case; their number is checked later, over all rows
 * of a person.
 */
function compileTags(rule: TagsRule): (row: Row, found: RowDiagnostics) => Pick<Draft, 'tags'> {
  const find = compileValueCandidates(rule, false);
  return (row, found) => {
    const tags = new Map<string, string>();
    for (const { text, column, error } of find(row).candidates) {
      if (error) {
        const side = rule.onInvalid === 'drop' ? found.notes : found.problems;
        side.push({ code: `tags.${error.problem}`, column, reason: error.reason });
      } else if (text !== '') {
        const known = text.toLowerCase();
        if (!tags.has(known)) tags.set(known, text);
      }
    }
    return { tags: [...tags.values()] };
  };
}

type LifecyclePart = Pick<Draft, 'lifecycle' | 'defaultLifecycle'>;

/** Compiles `lifecycle:`; the stage is spelled as in `stages`, if the rule has them. */
function compileLifecycle(rule: LifecycleRule): (row: Row, found: RowDiagnostics) => LifecyclePart {
  const { stages, default: otherwise } = rule;
  const spelling = new Map(stages?.map((stage) => [stage.toLowerCase(), stage]));
  const spelled = (text: string): string | undefined =>
    stages === undefined ? text : spelling.get(text.toLowerCase());
  const read = compileField(rule, {
    code: 'lifecycle',
    readsEmpty: false,
    read(text): ParsedCell<string> {
      const value = spelled(text);
      return value === undefined ? unknown(text, stages ?? []) : { ok: true, value };
    },
    fallback: otherwise === undefined ? undefined : spelled(otherwise),
  });
  return (row, found) => {
    const result = read(row, undefined);
    addDiagnostics(result, found);
    const { value, fallback } = result;
    return {
      ...(value !== undefined && { lifecycle: value }),
      ...(fallback !== undefined && { defaultLifecycle: fallback }),
    };
  };
}

function unknown(text: string, stages: readonly string[]): ParsedCell<string> {
  const listed = stages.map(quoteCell).join(', ');
  const reason = `${quoteCell(text)} is not one of the stages of the mapping: ${listed}.`;
  return { ok: false, problem: 'unknown', reason };
}

type Writer = (row: Row, mention: TemplateChunk, found: RowDiagnostics) => readonly CommentDraft[];

/**
 * Compiles `comments:`, whose entries keep the order of the mapping; `mention` is the text that mentions the row's
 * assignee.
 */
function compileComments(
  rule: CommentsRule,
): (row: Row, mention: TemplateChunk, found: RowDiagnostics) => Pick<Draft, 'comments'> {
  const writers: Writer[] = [];
  let lists: CommentEntryWithEach[] = [];
  const endLists = (): void => {
    if (lists.length > 0) writers.push(compileCommentsOfLists(lists));
    lists = [];
  };
  for (const { entry } of listCommentEntries(rule)) {
    const { each, order, ...rest } = entry;
    // Adjacent lists with an `order` become one sequence, such as the calls and the mails of a person.
    if (each === undefined || order === undefined) endLists();
    if (each === undefined) writers.push(compileEntry(rest));
    else lists.push({ ...rest, each, order });
    if (order === undefined) endLists();
  }
  endLists();
  return (row, mention, found) => {
    const comments = writers.flatMap((write) => write(row, mention, found));
    for (const { text } of comments) {
      if (text.length <= maxCommentLength) continue;
      const reason = `The comment has ${text.length} characters and is sent in parts: one holds ${maxCommentLength}.`;
      found.notes.push({ code: 'comments.split', column: null, reason });
    }
    return { comments };
  };
}

function compileEntry(entry: Omit<CommentEntry, 'each' | 'order'>): Writer {
  const { name = '', key } = entry;
  const render = compileTemplate(entry.text);
  const cellsOf = compileCommentCellConversion(entry);
  const isNeeded = compileNeeds(entry);
  return (row, mention) => {
    const cells = cellsOf(row);
    const { chunks, empty } = render(cells, mention);
    const text =
      empty || !isNeeded(cells) ? '' : trimWhiteSpace(joinChunksEscapingMentions(withoutEmptyLines(chunks)));
    if (text === '') return [];
    const cell = key === undefined ? '' : trimWhiteSpace(row.cell(key) ?? '');
    return [{ id: cell === '' ? name : `${name}:${cell}`, text }];
  };
}
