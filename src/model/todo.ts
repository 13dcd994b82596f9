/** Returns the placeholder for a value that the user must fill in; `check` refuses it and asks the question. */
export function formatTodoPlaceholder(question: string): string {
  return `TODO: ${question}`;
}

/** Returns true if a text is `TODO`, or begins with that word and a colon or a blank. */
export function isTodoPlaceholder(text: string): boolean {
  return /^TODO(?:$|[:\s])/.test(text);
}
