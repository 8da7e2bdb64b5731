'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { Textarea } from './textarea';

export interface CodeEditorProps {
  value: string;
  onChange: (next: string) => void;
  /** The accessible name: "Input as JSON". */
  label: string;
  describedBy?: string;
}

/** Loaded once for all editors of the page. */
let loading: Promise<ComponentType<CodeEditorProps>> | undefined;

/**
 * A JSON editor: a plain text area first, replaced by CodeMirror once that has loaded, but never
 * while the person is typing.
 */
export function CodeEditor(props: CodeEditorProps) {
  const [Rich, setRich] = useState<ComponentType<CodeEditorProps> | null>(null);
  const [focused, setFocused] = useState(false);
  const [shown, setShown] = useState(false);

  useEffect(() => {
    let gone = false;
    loading ??= import('./code-editor-rich').then((loaded) => loaded.CodeEditorRich);
    loading.then(
      (loaded) => gone || setRich(() => loaded),
      () => {
        // On failure the text area stays; the next editor tries again.
        loading = undefined;
      },
    );
    return () => {
      gone = true;
    };
  }, []);
  useEffect(() => {
    if (Rich && !focused) setShown(true);
  }, [Rich, focused]);

  if (Rich && shown) return <Rich {...props} />;
  return (
    <Textarea
      aria-label={props.label}
      aria-describedby={props.describedBy}
      spellCheck={false}
      className="field-sizing-content max-h-[60dvh] min-h-48 font-mono sm:text-xs sm:leading-5"
      value={props.value}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
}
