import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The editor's theme, in the colours of the page, light and dark. */
export const editorTheme = [
  EditorView.theme({
    '&': { fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--card)', height: '100%' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
    '.cm-content': { caretColor: 'var(--ink)' },
    '.cm-cursor': { borderLeftColor: 'var(--ink)' },
    '.cm-gutters': {
      backgroundColor: 'var(--card)',
      color: 'var(--soft)',
      borderRight: '1px solid var(--line)',
    },
    '.cm-activeLine': { backgroundColor: 'var(--mark)' },
    '.cm-activeLineGutter': { backgroundColor: 'var(--track)', color: 'var(--ink)' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--selected)',
    },
    '.cm-selectionMatch': { backgroundColor: 'var(--look-back)' },
    '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--good-back)' },
    '.cm-foldPlaceholder': { backgroundColor: 'var(--track)', color: 'var(--soft)', border: 'none' },
    '.cm-tooltip, .cm-panels': {
      backgroundColor: 'var(--card)',
      color: 'var(--ink)',
      border: '1px solid var(--edge)',
    },
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'var(--accent)',
      color: 'var(--on-accent)',
    },
    // Mistakes are underlined by a text decoration, because the editor's own marks are images that the page may not
    // load.
    '.cm-lintRange-error, .cm-lintRange-warning, .cm-lintRange-info, .cm-lintRange-hint': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--bad) 1px',
    },
    '.cm-lint-marker-error, .cm-lint-marker-warning, .cm-lint-marker-info': {
      content: '"●"',
      color: 'var(--bad)',
      lineHeight: '1.2',
    },
    '.cm-panel input, .cm-panel button': { width: 'auto', color: 'var(--ink)', background: 'var(--card)' },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
      { tag: [tags.string, tags.content], color: 'var(--ink)' },
      { tag: [tags.comment, tags.lineComment], color: 'var(--soft)', fontStyle: 'italic' },
      { tag: [tags.keyword, tags.bool, tags.number, tags.labelName, tags.typeName], color: 'var(--good)' },
      { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--soft)' },
      { tag: tags.meta, color: 'var(--soft)' },
    ]),
  ),
];
