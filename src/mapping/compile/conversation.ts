import { trimWhiteSpace } from '../../datatypes/index.ts';
import type { DesiredConversation, Draft } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import type { ConversationRule } from '../schema/conversation.ts';
import { listTemplateColumns } from '../template.ts';
import type { RowDiagnostics } from './findings.ts';
import { joinChunksEscapingMentions } from './mention.ts';
import { compileTemplate } from './template.ts';

/** The longest summary, in UTF-16 units (specification: Limits). */
const longestSummary = 512;

/** Compiles `conversation:`. */
export function compileConversation(
  rule: ConversationRule,
): (row: Row, found: RowDiagnostics) => Pick<Draft, 'conversation'> {
  const { category } = rule;
  const readStatus = compileStatus(rule);
  const readSummary = compileSummary(rule);
  return (row, found) => {
    const status = readStatus(row, found);
    if (status === undefined) return {};
    // Only a closed conversation has a category.
    if (status === 'open') return { conversation: { status } };
    const summary = readSummary(row, found);
    return {
      conversation: {
        status,
        ...(category !== undefined && { category }),
        ...(summary !== '' && { summary }),
      },
    };
  };
}

/** Compiles `status:` to a function of the row; undefined leaves the conversation unchanged. */
function compileStatus({
  status,
}: ConversationRule): (row: Row, found: RowDiagnostics) => DesiredConversation['status'] | undefined {
  if (typeof status === 'string') return () => status;
  const { from: column } = status;
  const named = new Map<string, DesiredConversation['status'] | null>([
    ['open', 'open'],
    ['closed', 'closed'],
    ...Object.entries(status.values ?? {}).map(([cell, state]) => [cell.toLowerCase(), state] as const),
  ]);
  return (row, { notes }) => {
    const cell = trimWhiteSpace(row.cell(column) ?? '');
    const state = named.get(cell.toLowerCase());
    if (state === undefined && cell !== '') {
      const reason = `${JSON.stringify(cell)} is neither open nor closed. The conversation is left alone.`;
      notes.push({ code: 'conversation.unknown', column, reason });
    }
    return state ?? undefined;
  };
}

function compileSummary({
  summary,
  overflow,
}: ConversationRule): (row: Row, found: RowDiagnostics) => string {
  if (summary === undefined) return () => '';
  const render = compileTemplate(summary);
  const [column = null, ...others] = listTemplateColumns(summary);
  const blamed = others.length === 0 ? column : null;
  return (row, { problems, notes }) => {
    const { chunks, empty } = render(row);
    const text = empty ? '' : trimWhiteSpace(joinChunksEscapingMentions(chunks));
    if (text.length <= longestSummary) return text;
    const reason = `The summary has ${text.length} characters; at most ${longestSummary} are allowed.`;
    const problem = { code: 'conversation.tooLong', column: blamed, reason };
    if (overflow !== 'cut') {
      problems.push(problem);
      return '';
    }
    notes.push({ ...problem, reason: `${reason} The rest is left out.` });
    return cut(text);
  };
}

/** Cuts the summary at the limit, never within a surrogate pair. */
function cut(text: string): string {
  return trimWhiteSpace(text.slice(0, longestSummary).replace(/[\ud800-\udbff]$/, ''));
}
