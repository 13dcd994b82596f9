import { maxRawTextLength } from '../broken-row.ts';
import type { SqlPartScanner } from './records.ts';
import type { SqlTextWindow } from './walk.ts';

const routine =
  /^(?:CREATE|ALTER)\s+(?:OR\s+\w+\s+)?(?:(?:TEMP|TEMPORARY|CONSTRAINT|AGGREGATE|EDITIONABLE|NONEDITIONABLE|DEFINER\s*=\s*\S+)\s+)*(?:TRIGGER|PROC|PROCEDURE|FUNCTION|EVENT|PACKAGE)\b/i;
const strings =
  /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^'\\]|''|\\[\s\S])*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;
const words = /\b(?:BEGIN|CASE|END(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR|CASE))?)\b/gi;

/** Returns how many more blocks a part of a stored routine opens than it closes. */
function openedBlocks(part: string): number {
  let opened = 0;
  for (const [word] of part.replaceAll(strings, ' ').matchAll(words)) {
    if (/^(?:BEGIN|CASE)$/i.test(word)) opened += 1;
    else if (/^END(?:\s+CASE)?$/i.test(word)) opened -= 1;
  }
  return opened;
}

const mostKept = 1024 * 1024;

/**
 * Receives a statement: complete with its text, or only its beginning if it is above the size limit. If the dump is cut
 * off in the statement, receives the line where it begins.
 */
export interface StatementListener {
  complete(text: string, line: number): void;
  beginning(text: string, line: number): void;
  cutOff(line: number): void;
}

/** Scans a statement without rows to its end. */
export class StatementScanner implements SqlPartScanner {
  readonly #window: SqlTextWindow;
  readonly #end: StatementListener;
  readonly #line: number;
  /** The block depth of a stored routine in a dump without DELIMITER lines; null outside of routines. */
  #depth: number | null = null;
  #from = 0;

  /** The statement begins at the window's position. */
  constructor(window: SqlTextWindow, end: StatementListener) {
    this.#window = window;
    this.#end = end;
    this.#line = window.lineOf(window.at);
    window.hold = window.at;
  }

  advance(): boolean {
    const window = this.#window;
    for (;;) {
      const step = window.to('terminator');
      if (step === 'more') {
        if (window.hold !== -1 && window.at - window.hold > mostKept) this.#shorten();
        return false;
      }
      if (window.hold === -1) return true;
      const part = window.held(window.at);
      if (this.#from === 0 && window.dialect.terminator === ';' && routine.test(part)) this.#depth = 0;
      if (!this.#goesOn(part)) {
        this.#end.complete(part, this.#line);
        window.hold = -1;
        return true;
      }
      this.#from = part.length;
      window.begin(window.at + 1);
    }
  }

  cutOff(): void {
    const window = this.#window;
    // In SQL Server scripts the end of the file ends the last statement.
    if (window.dialect.batches && !window.enclosed) return;
    this.#end.cutOff(this.#line);
  }

  /**
   * True if the position is inside the body of a stored routine; in SQL Server only a GO ends such a body.
   */
  #goesOn(part: string): boolean {
    if (this.#depth === null) return false;
    const { text, at, dialect } = this.#window;
    if (dialect.batches) return !/^[ \t]*GO\b/i.test(text.slice(at, at + 24));
    this.#depth += openedBlocks(part.slice(this.#from));
    return this.#depth > 0;
  }

  #shorten(): void {
    this.#end.beginning(this.#window.held(this.#window.hold + maxRawTextLength), this.#line);
    this.#window.hold = -1;
  }
}
