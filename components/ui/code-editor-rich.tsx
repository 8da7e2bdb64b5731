'use client';

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, linter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { CodeEditorProps } from './code-editor';
import { parseJson } from './parse-json';

/**
 * Uses our colour tokens, so it follows the page's scheme. Constructed style sheets comply with the
 * CSP: no inline styles.
 */
const THEME = EditorView.theme({
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-md)',
    background: 'var(--surface)',
    color: 'var(--ink)',
    fontSize: '0.75rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', borderColor: 'var(--accent)' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '1.25rem',
    maxHeight: '60dvh',
    minHeight: '12rem',
  },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--sunken)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--hover)' },
  '&.cm-focused .cm-matchingBracket': {
    background: 'var(--accent-soft)',
    outline: '1px solid var(--accent)',
  },
  '.cm-tooltip': { background: 'var(--raised)', border: '1px solid var(--line)', color: 'var(--ink)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
});

/**
 * CodeMirror's default highlighting in our accent colour: its own colours only suit a white
 * background.
 */
const COLOURS = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => (spec.color ? { ...spec, color: 'var(--accent)' } : spec)),
);

/** Marks where JSON parsing fails. Empty text is not an error yet. */
function findProblems({ state }: EditorView): Diagnostic[] {
  const text = state.doc.toString();
  if (text.trim() === '') return [];
  const parsed = parseJson(text);
  if (parsed.ok) return [];
  const from = Math.min(parsed.offset, text.length);
  return [{ from, to: Math.min(from + 1, text.length), severity: 'error', message: parsed.message }];
}

/** Tab is not bound, so that it moves the focus as everywhere else. */
const EXTENSIONS: readonly Extension[] = [
  lineNumbers(),
  history(),
  bracketMatching(),
  indentOnInput(),
  highlightActiveLine(),
  EditorView.lineWrapping,
  json(),
  syntaxHighlighting(COLOURS),
  linter(findProblems, { delay: 300 }),
  keymap.of([...defaultKeymap, ...historyKeymap]),
  EditorState.tabSize.of(2),
  THEME,
];

export function CodeEditorRich({ value, onChange, label, describedBy }: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(onChange);
  latest.current = onChange;
  const first = useRef(value);

  useEffect(() => {
    if (!place.current) return;
    const attributes = {
      'aria-label': label,
      spellcheck: 'false',
      ...(describedBy ? { 'aria-describedby': describedBy } : {}),
    };
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          ...EXTENSIONS,
          EditorView.contentAttributes.of(attributes),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, describedBy]);

  // Replace the text only if the value was changed from outside, such as by an example.
  useEffect(() => {
    first.current = value;
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={place} className="min-w-0" />;
}
