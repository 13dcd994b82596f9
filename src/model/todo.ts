/** A value that a person has to put there; `check` refuses it and asks the question. */
export function todo(question: string): string {
  return `TODO: ${question}`;
}

/** Whether a text is read as such a value. */
export function isTodo(text: string): boolean {
  return /^TODO(?:$|[:\s])/.test(text);
}
