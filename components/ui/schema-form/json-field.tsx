'use client';

import { useEffect, useState } from 'react';
import { parseJson } from '../parse-json';
import { Textarea } from '../textarea';
import { FieldFrame } from './field-frame';
import { type ControlProps, useForm } from './form-context';
import { sameJson } from './json-schema';

/** A part without its own kind of field, or with a value that does not match it, edited as JSON. */
export function JsonField({ of, control, ...field }: ControlProps<'json'>) {
  const { setBroken } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const { path } = field;
  // Clear the parse error on unmount.
  useEffect(() => () => setBroken(path, null), [path, setBroken]);
  const parsed = typed === null ? null : parseJson(typed);
  // Keep the typed text until the value changes from outside.
  const stale = parsed?.ok === true && !sameJson(parsed.value, field.value);
  const text = typed === null || (stale && !control.misfit) ? (control.text ?? '') : typed;

  function take(next: string, done: boolean) {
    setTyped(next);
    const read = next.trim() === '' ? ({ ok: true, value: undefined } as const) : parseJson(next);
    setBroken(field.path, read.ok ? null : `Line ${read.line}, column ${read.column}: ${read.message}`);
    // A value that now matches its field is committed on blur: switching fields earlier would lose
    // the focus.
    if (read.ok && (done || !control.misfit)) field.onChange(read.value);
  }

  return (
    <FieldFrame {...field} schema={of}>
      {({ onBlur, ...wiring }) => (
        <Textarea
          {...wiring}
          rows={2}
          spellCheck={false}
          placeholder="JSON"
          className="field-sizing-content max-h-96 min-h-16 font-mono sm:text-xs"
          value={text}
          onBlur={() => {
            if (typed !== null) take(typed, true);
            onBlur();
          }}
          onChange={({ target }) => take(target.value, false)}
        />
      )}
    </FieldFrame>
  );
}
