'use client';

import { useCallback, useMemo, useState } from 'react';
import { chooseControl } from './controls';
import { Field } from './field';
import { type FieldProblem, fieldPaths, placeProblems } from './field-paths';
import { type FormContext, FormProvider } from './form-context';
import { isObject, type JsonSchema } from './json-schema';
import { Parts } from './object-field';

interface SchemaFormProps {
  schema: JsonSchema;
  /** The JSON value. The form has no other state than incomplete input. */
  value: unknown;
  onChange: (next: unknown) => void;
  /** Prefix of all ids. */
  formId: string;
  /** The name of the value in the server's error paths. */
  path: string;
  problems: readonly FieldProblem[];
  /** Shows the problems of unvisited fields too. */
  showAll: boolean;
  renderFile: FormContext['renderFile'];
  /**
   * Updates the parse errors of parts edited as JSON, by path: the value keeps its last valid
   * state.
   */
  onBroken: (change: (known: ReadonlyMap<string, string>) => ReadonlyMap<string, string>) => void;
}

/** A form for a JSON value, generated from its schema. It shows any value without loss. */
export function SchemaForm({
  schema,
  value,
  onChange,
  formId,
  path,
  problems,
  showAll,
  renderFile,
  onBroken,
}: SchemaFormProps) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const touch = useCallback(
    (at: string) => setTouched((known) => (known.has(at) ? known : new Set(known).add(at))),
    [],
  );
  const setBroken = useCallback<FormContext['setBroken']>(
    (at, message) =>
      onBroken((known) => {
        if (message === (known.get(at) ?? null)) return known;
        const next = new Map(known);
        if (message === null) next.delete(at);
        else next.set(at, message);
        return next;
      }),
    [onBroken],
  );
  const shown = useMemo(() => {
    const placed = placeProblems(problems, fieldPaths(schema, value, path), path);
    return new Map([...placed].filter(([at]) => showAll || touched.has(at)));
  }, [problems, schema, value, path, showAll, touched]);
  const context = useMemo<FormContext>(
    () => ({ root: schema, formId, problems: shown, Field, renderFile, setBroken, touch }),
    [schema, formId, shown, renderFile, setBroken, touch],
  );
  const { control } = chooseControl(schema, schema, value);
  return (
    <FormProvider value={context}>
      <div className="flex min-w-0 flex-col gap-5">
        {control.kind === 'object' ? (
          <Parts
            parts={control.parts}
            path={path}
            value={value}
            onChange={(next) => onChange(isObject(next) ? next : {})}
          />
        ) : (
          <Field path={path} label={path} schema={schema} required value={value} onChange={onChange} />
        )}
      </div>
    </FormProvider>
  );
}
