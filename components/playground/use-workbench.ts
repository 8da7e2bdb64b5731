'use client';

import { useCallback, useEffect, useState } from 'react';
import { parseJson } from '../ui/parse-json';
import { isObject, type JsonObject } from '../ui/schema-form/json-schema';

const MAX_DRAFT_CHARS = 200_000;

/** The input being edited for a skill: its value, and its text while it is edited as JSON. */
export interface Workbench {
  value: JsonObject;
  mode: 'form' | 'json';
  text: string;
  /**
   * Why it cannot be sent: the parse error of invalid JSON, in the editor or a field. Null if
   * valid.
   */
  broken: string | null;
  /** Changes whenever the value is replaced from outside, to remount the form. */
  version: number;
  change: (next: unknown) => void;
  write: (text: string) => void;
  /** Replaces the value, with an example or an earlier input. */
  replace: (next: JsonObject) => void;
  choose: (mode: 'form' | 'json') => void;
  setBrokenParts: React.Dispatch<React.SetStateAction<ReadonlyMap<string, string>>>;
}

const NOTHING: ReadonlyMap<string, string> = new Map();
const formatJson = (value: JsonObject) => JSON.stringify(value, null, 2);

/**
 * The input of a skill while it is edited, stored as a draft in sessionStorage.
 * @param draftName the storage key, unique to a person and a skill
 * @param given the initial value, instead of the draft
 */
export function useWorkbench(draftName: string, given: JsonObject | null): Workbench {
  const [value, setValue] = useState<JsonObject>(given ?? {});
  const [mode, setMode] = useState<'form' | 'json'>('form');
  const [text, setText] = useState('');
  const [parts, setBrokenParts] = useState(NOTHING);
  const [version, setVersion] = useState(0);

  const replace = useCallback((next: JsonObject) => {
    setValue(next);
    setText(formatJson(next));
    setBrokenParts(NOTHING);
    setVersion((known) => known + 1);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is read once, on mount
  useEffect(() => {
    const draft = given ? null : readDraft(draftName);
    if (draft) replace(draft);
  }, []);
  useEffect(() => {
    writeDraft(draftName, value);
  }, [draftName, value]);

  return {
    value,
    mode,
    text,
    broken: mode === 'json' ? findProblem(text) : (parts.values().next().value ?? null),
    version,
    change: (next) => setValue(isObject(next) ? next : {}),
    write(next) {
      setText(next);
      const parsed = parseJson(next);
      if (parsed.ok && isObject(parsed.value)) setValue(parsed.value);
    },
    replace,
    choose(next) {
      if (next === 'json') setText(formatJson(value));
      setBrokenParts(NOTHING);
      setMode(next);
    },
    setBrokenParts,
  };
}

function findProblem(text: string): string | null {
  const parsed = parseJson(text);
  if (!parsed.ok) return `Line ${parsed.line}, column ${parsed.column}: ${parsed.message}.`;
  return isObject(parsed.value) ? null : 'The input must be an object: { … }.';
}

/** Drafts are in sessionStorage, which may be unavailable. */
function readDraft(name: string): JsonObject | null {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null');
    return isObject(draft) ? draft : null;
  } catch {
    return null;
  }
}

function writeDraft(name: string, value: JsonObject): void {
  const draft = JSON.stringify(value);
  try {
    if (Object.keys(value).length > 0 && draft.length <= MAX_DRAFT_CHARS) sessionStorage.setItem(name, draft);
    else sessionStorage.removeItem(name);
  } catch {
    // Storage is full or unavailable: the input is still on the page.
  }
}
