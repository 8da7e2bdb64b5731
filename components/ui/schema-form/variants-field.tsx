'use client';

import { useState } from 'react';
import { Select } from '../select';
import { chooseControl } from './controls';
import { FieldFrame } from './field-frame';
import { type ControlProps, NESTED, useForm } from './form-context';
import { getVariantName } from './hints';
import { createInitialValue, type JsonSchema } from './json-schema';

/** A choice between schemas, and the field of the chosen one. */
export function VariantsField({ of, control, ...field }: ControlProps<'variants'>) {
  const { root, Field } = useForm();
  const [picked, setPicked] = useState<number | null>(null);
  const { variants, value } = control;
  const chosen =
    picked !== null && isShown(root, variants[picked], value)
      ? picked
      : (control.chosen ?? (value === undefined ? 0 : -1));
  const schema = variants[chosen] ?? {};
  function choose(next: number) {
    setPicked(next);
    const schema = variants[next];
    if (value !== undefined && !isShown(root, schema, value))
      field.onChange(createInitialValue(root, schema));
  }

  return (
    <FieldFrame {...field} schema={of} group around>
      {({ id }) => (
        <>
          <Select
            aria-label={`Kind of ${field.label}`}
            className="max-w-60"
            value={String(chosen)}
            onChange={({ target }) => choose(Number(target.value))}
          >
            {chosen < 0 && <option value="-1">Something else</option>}
            {variants.map((variant, at) => (
              <option key={`${id}${getVariantName(variant)}`} value={String(at)}>
                {getVariantName(variant)}
              </option>
            ))}
          </Select>
          <div className={NESTED}>
            <Field
              path={field.path}
              label={`${field.label} value`}
              // The description is shown once, around the field.
              schema={{ ...schema, description: undefined }}
              required={field.required}
              value={value}
              onChange={(next) => {
                if (chosen >= 0) setPicked(chosen);
                field.onChange(next);
              }}
            />
          </div>
        </>
      )}
    </FieldFrame>
  );
}

/** Whether the field of a schema can represent the value. */
function isShown(root: JsonSchema, schema: unknown, value: unknown): boolean {
  const { control } = chooseControl(root, schema, value);
  return control.kind !== 'json' || !control.misfit;
}
