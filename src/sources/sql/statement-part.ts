import { rawLength } from '../broken-row.ts';
import type { Part } from './records.ts';
import type { SqlWindow } from './walk.ts';

const routine =
  /^(?:CREATE|ALTER)\s+(?:OR\s+\w+\s+)?(?:(?:TEMP|TEMPORARY|CONSTRAINT|AGGREGATE|EDITIONABLE|NONEDITIONABLE|DEFINER\s*=\s*\S+)\s+)*(?:TRIGGER|PROC|PROCEDURE|FUNCTION|EVENT|PACKAGE)\b/i;
const strings =
  /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^'\\]|''|\\[\s\S])*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;
const words = /\b(?:BEGIN|CASE|END(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR|CASE))?)\b/gi;

/** How many blocks more a part of a stored routine opens than it closes. */
function openedBlocks(part: string): number {
  let opened = 0;
  for (const [word] of part.replaceAll(strings, ' ').matchAll(words)) {
    if (/^(?:BEGIN|CASE)$/i.test(word)) opened += 1;
    else if (/^END(?:\s+CASE)?$/i.test(word)) opened -= 1;
  }
  return opened;
}

const mostKept = 1024 * 1024;

/** What becomes of a statement; of one that is too long to mean anything only its beginning is known. */
export interface StatementListener {
  complete(text: string, line: number): void;
  beginning(text: string, line: number): void;
  cutOff(line: number): void;
}

/** A statement without rows, up to its end; its text is handed on. */
export class StatementPart implements Part {
  readonly #window: SqlWindow;
  readonly #end: StatementListener;
  readonly #line: number;
  /** Of a stored routine in a dump without DELIMITER lines, how deep its blocks are: its statements end it only where it is closed. */
  #depth: number | null = null;
  #from = 0;

  /** Begins where the window stands. */
  constructor(window: SqlWindow, end: StatementListener) {
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
    // SQL Server's scripts end their last statement with the file.
    if (window.dialect.batches && !window.enclosed) return;
    this.#end.cutOff(this.#line);
  }

  /** Whether this is within the body of a routine; SQL Server ends one with GO only. */
  #goesOn(part: string): boolean {
    if (this.#depth === null) return false;
    const { text, at, dialect } = this.#window;
    if (dialect.batches) return !/^[ \t]*GO\b/i.test(text.slice(at, at + 24));
    this.#depth += openedBlocks(part.slice(this.#from));
    return this.#depth > 0;
  }

  #shorten(): void {
    this.#end.beginning(this.#window.held(this.#window.hold + rawLength), this.#line);
    this.#window.hold = -1;
  }
}
