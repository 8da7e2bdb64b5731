'use client';

import { useCallback, useEffect, useState } from 'react';
import { parseJson } from '../ui/parse-json';
import { isObject, type JsonObject } from '../ui/schema-form/json-schema';

const MAX_DRAFT_CHARS = 200_000;

/** What is being written for one skill: the value, and the text of it while it is written as JSON. */
export interface Workbench {
  value: JsonObject;
  mode: 'form' | 'json';
  text: string;
  /** Why it cannot be sent as it stands: half-written JSON, in the editor or in a field. Null where it can. */
  broken: string | null;
  /** Changes with every value that comes from elsewhere: a new form begins with it. */
  version: number;
  change: (next: unknown) => void;
  write: (text: string) => void;
  /** Puts another value in its place: an example, an earlier input. */
  replace: (next: JsonObject) => void;
  choose: (mode: 'form' | 'json') => void;
  setBrokenParts: React.Dispatch<React.SetStateAction<ReadonlyMap<string, string>>>;
}

const NOTHING: ReadonlyMap<string, string> = new Map();
const textOf = (value: JsonObject) => JSON.stringify(value, null, 2);

/**
 * The input of a skill while a person writes it, kept as a draft of this tab.
 * @param draftName what the draft is kept under: of one person and one skill
 * @param given what it begins with instead of the draft
 */
export function useWorkbench(draftName: string, given: JsonObject | null): Workbench {
  const [value, setValue] = useState<JsonObject>(given ?? {});
  const [mode, setMode] = useState<'form' | 'json'>('form');
  const [text, setText] = useState('');
  const [parts, setBrokenParts] = useState(NOTHING);
  const [version, setVersion] = useState(0);

  const replace = useCallback((next: JsonObject) => {
    setValue(next);
    setText(textOf(next));
    setBrokenParts(NOTHING);
    setVersion((known) => known + 1);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the page is there
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
    broken: mode === 'json' ? problemOf(text) : (parts.values().next().value ?? null),
    version,
    change: (next) => setValue(isObject(next) ? next : {}),
    write(next) {
      setText(next);
      const parsed = parseJson(next);
      if (parsed.ok && isObject(parsed.value)) setValue(parsed.value);
    },
    replace,
    choose(next) {
      if (next === 'json') setText(textOf(value));
      setBrokenParts(NOTHING);
      setMode(next);
    },
    setBrokenParts,
  };
}

function problemOf(text: string): string | null {
  const parsed = parseJson(text);
  if (!parsed.ok) return `Line ${parsed.line}, column ${parsed.column}: ${parsed.message}.`;
  return isObject(parsed.value) ? null : 'The input must be an object: { … }.';
}

/** A tab's own, gone with it; a browser may refuse to keep anything. */
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
    // Full or closed to us: the input is still on the page.
  }
}
