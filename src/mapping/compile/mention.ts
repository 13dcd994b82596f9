import { joinChunks, type TemplateChunk } from './template.ts';

/** Returns the chunk that mentions a user (specification: POST /contact/{identifier}/comment). */
export function createMentionChunk(userId: number): TemplateChunk {
  return { text: `{{@user.${userId}}}`, fromData: false };
}

// Matches everything that a workspace might take for a mention: in any case, with spaces, and with missing braces.
const anyMention = /\{\{\s*@\s*user[^{}]*\}{0,2}/gi;

/**
 * Returns the chunks as one text in which only the template can mention a user. A mention with any character from the
 * data, even one that two cells form together, is broken up by a space between its braces.
 */
export function joinChunksEscapingMentions(chunks: readonly TemplateChunk[]): string {
  const text = joinChunks(chunks);
  if (!text.includes('{{')) return text;
  return text.replace(anyMention, (mention, at: number) =>
    touchesData(chunks, at, at + mention.length) ? `{ ${mention.slice(1)}` : mention,
  );
}

function touchesData(chunks: readonly TemplateChunk[], from: number, to: number): boolean {
  let start = 0;
  for (const { text, fromData } of chunks) {
    const end = start + text.length;
    if (fromData && start < to && end > from && text !== '') return true;
    start = end;
  }
  return false;
}
