import { trimmed } from '../../datatypes/index.ts';
import type { Draft } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import type { ConversationRule } from '../schema/conversation.ts';
import { templateColumns } from '../template.ts';
import type { Findings } from './findings.ts';
import { withoutForeignMentions } from './mention.ts';
import { compileTemplate } from './template.ts';

/** Specification: Limits, in UTF-16 units. */
const longestSummary = 512;

/** `conversation:` */
export function compileConversation(
  rule: ConversationRule,
): (row: Row, found: Findings) => Pick<Draft, 'conversation'> {
  const { status, category } = rule;
  const readSummary = compileSummary(rule);
  return (row, found) => {
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

function compileSummary({ summary, overflow }: ConversationRule): (row: Row, found: Findings) => string {
  if (summary === undefined) return () => '';
  const render = compileTemplate(summary);
  const [column = null, ...others] = templateColumns(summary);
  const blamed = others.length === 0 ? column : null;
  return (row, { problems, notes }) => {
    const { pieces, empty } = render(row);
    const text = empty ? '' : trimmed(withoutForeignMentions(pieces));
    if (text.length <= longestSummary) return text;
    const reason = `The summary has ${text.length} characters; at most ${longestSummary} are possible.`;
    const problem = { code: 'conversation.tooLong', column: blamed, reason };
    if (overflow !== 'cut') {
      problems.push(problem);
      return '';
    }
    notes.push({ ...problem, reason: `${reason} The rest is left out.` });
    return cut(text);
  };
}

/** No sign is cut in half. */
function cut(text: string): string {
  return trimmed(text.slice(0, longestSummary).replace(/[\ud800-\udbff]$/, ''));
}
