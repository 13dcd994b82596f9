const beginning =
  /^(?:CREATE|ALTER)\s+(?:OR\s+\w+\s+)?(?:(?:TEMP|TEMPORARY|CONSTRAINT|AGGREGATE|EDITIONABLE|NONEDITIONABLE|DEFINER\s*=\s*\S+)\s+)*(?:TRIGGER|PROC|PROCEDURE|FUNCTION|EVENT|PACKAGE)\b/i;
const strings =
  /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^'\\]|''|\\[\s\S])*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;
const words = /\b(?:BEGIN|CASE|END(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR|CASE))?)\b/gi;

/** The body of a stored routine that stands in a dump without DELIMITER lines: its statements end it only where it is closed. */
export class Routine {
  #depth = 0;

  /** Takes the routine's next part, up to a `;`, and says whether that ends the routine. */
  ends(part: string): boolean {
    for (const [word] of part.replaceAll(strings, ' ').matchAll(words)) {
      if (/^(?:BEGIN|CASE)$/i.test(word)) this.#depth += 1;
      else if (/^END(?:\s+CASE)?$/i.test(word)) this.#depth -= 1;
    }
    return this.#depth <= 0;
  }
}

/** Whether a statement that begins like this is a stored routine. */
export function isRoutine(statement: string): boolean {
  return beginning.test(statement);
}
