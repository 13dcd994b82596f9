import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { yaml, yamlLanguage } from '@codemirror/lang-yaml';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { basicSetup } from 'codemirror';
import type { YamlFinding } from '../../../wire/project.ts';
import { catalogue } from '../../language.ts';
import { editorTheme } from './looks.ts';
import { findCompletions } from './offers.ts';
import { findYamlCursor } from './yaml-place.ts';

export interface YamlEditor {
  /** Replaces only the part of the text that differs, so that the cursor stays and the change can be undone. */
  show(text: string): void;
  mark(findings: readonly YamlFinding[]): void;
  goTo(line: number): void;
  close(): void;
}

interface EditorOptions {
  readonly text: string;
  readonly schema: object;
  columns(): readonly string[];
  readonly label: string;
  readonly readOnly: boolean;
  /** Called after each change by the user. */
  onText(text: string): void;
}

const fromOutside = Annotation.define<boolean>();

export function openYamlEditor(
  parent: HTMLElement,
  { text, schema, columns, label, readOnly, onText }: EditorOptions,
): YamlEditor {
  const view = new EditorView({
    doc: text,
    parent,
    extensions: [
      basicSetup,
      yaml(),
      yamlLanguage.data.of({ autocomplete: createSchemaCompletionSource(schema, columns) }),
      lintGutter(),
      editorTheme,
      EditorState.phrases.of(catalogue),
      EditorState.readOnly.of(readOnly),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label }),
      EditorView.updateListener.of(({ docChanged, state, transactions }) => {
        if (docChanged && !transactions.some((each) => each.annotation(fromOutside)))
          onText(state.doc.toString());
      }),
    ],
  });
  // A scrollable element must be reachable by the keyboard.
  view.scrollDOM.tabIndex = 0;
  return {
    show(next) {
      const now = view.state.doc.toString();
      if (next === now) return;
      view.dispatch({ changes: difference(now, next), annotations: fromOutside.of(true) });
    },
    mark(findings) {
      view.dispatch(
        setDiagnostics(
          view.state,
          findings.flatMap((each) => diagnostic(view.state, each)),
        ),
      );
    },
    goTo(line) {
      const { from } = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

/** Returns the smallest single change that turns one text into another. */
function difference(now: string, next: string): { from: number; to: number; insert: string } {
  let from = 0;
  while (from < now.length && now[from] === next[from]) from += 1;
  let [to, end] = [now.length, next.length];
  while (to > from && end > from && now[to - 1] === next[end - 1]) {
    to -= 1;
    end -= 1;
  }
  return { from, to, insert: next.slice(from, end) };
}

function diagnostic(
  { doc }: EditorState,
  { verdict, text, line, column, next }: YamlFinding,
): readonly Diagnostic[] {
  if (verdict === 'ok') return [];
  const at = doc.line(Math.max(1, Math.min(line ?? 1, doc.lines)));
  const from = Math.min(at.to, at.from + Math.max(0, (column ?? 1) - 1));
  const message = next === undefined ? text : `${text} ${next}`;
  return [{ from, to: at.to, severity: verdict === 'wrong' ? 'error' : 'info', message }];
}

/** Returns a completion source for the keys and values of a JSON Schema and the columns of the input. */
function createSchemaCompletionSource(
  schema: object,
  columns: () => readonly string[],
): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit }) => {
    const place = findYamlCursor(state.doc.sliceString(0, pos));
    if (place.typed === '' && !explicit) return null;
    const offers = findCompletions(schema, place, columns());
    if (offers.length === 0) return null;
    const options = offers.map(({ label, insert, about }) => ({
      ...{ label, apply: insert, type: place.is === 'key' ? 'property' : 'enum' },
      ...(about !== undefined && { info: about }),
    }));
    return { from: pos - place.typed.length, options, validFor: /^[\w -]*$/ };
  };
}
