'use client';

import { type FormEvent, useState } from 'react';
import { fieldProblem, problemText } from './problem';

/** Input rejected before a request is sent. Its message is shown as it is. */
export class InputProblem extends Error {
  /** @param field the name of the field; omit it in a form with one field */
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/** Of radio buttons, the checked one: a space on another would change the choice. */
export function findField(form: Element, name: string): HTMLElement | null {
  return form.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]:not([type=radio]:not(:checked))`);
}

/** A form that is being sent, and the errors of the last attempt. */
export interface Submit<Field extends string = string> {
  busy: boolean;
  /** The error of the form, unless a field shows it. */
  formError: string | null;
  fieldError: (field: Field) => string | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
}

interface SubmitError {
  field?: string | undefined;
  text: string;
}

/**
 * Sends a form once at a time and assigns an error to its field: the first invalid field gets the
 * focus. The only field of a form shows all errors and leaves the focus alone.
 * @param labels the label of each field by its name, which is also its path in the API's input
 * @param send gets the trimmed value of a field by its name; closes the dialog if it succeeds
 */
export function useSubmit<Field extends string>(
  labels: Readonly<Record<Field, string>>,
  send: (read: (name: string) => string, form: HTMLFormElement) => Promise<unknown>,
): Submit<Field> {
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<readonly SubmitError[]>([]);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    setBusy(true);
    setErrors([]);
    try {
      await send((name) => String(data.get(name) ?? '').trim(), form);
    } catch (error) {
      const found = toSubmitErrors(error, labels);
      setErrors(found);
      const [first] = found;
      if (first?.field && Object.keys(labels).length > 1) findField(form, first.field)?.focus();
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    formError: errors.find(({ field }) => field === undefined)?.text ?? null,
    fieldError: (name) => errors.find(({ field }) => field === name)?.text,
    onSubmit,
  };
}

function toSubmitErrors(error: unknown, labels: Readonly<Record<string, string>>): SubmitError[] {
  const fields = Object.keys(labels);
  const only = fields.length === 1 ? fields[0] : undefined;
  if (error instanceof InputProblem) return [{ field: error.field ?? only, text: error.message }];
  const named = fields.flatMap((field) => {
    const problem = fieldProblem(error, field);
    return problem ? [{ field, text: `${labels[field]}: ${problem}` }] : [];
  });
  return named.length > 0 ? named : [{ field: only, text: problemText(error) }];
}
