'use client';

import { Button } from '../button';
import { Plus, X } from '../icons';
import { type Part, withField } from './controls';
import { FieldFrame } from './field-frame';
import { pathTo } from './field-paths';
import { type ControlProps, type FieldProps, NESTED, useForm } from './form-context';
import { createInitialValue } from './json-schema';
import { SmallButton } from './small-button';

interface PartsProps extends Pick<FieldProps, 'path' | 'value' | 'onChange'> {
  parts: readonly Part[];
}

/** The fields of an object. Fields unknown to its schema come last and can be removed. */
export function Parts({ parts, path, value, onChange }: PartsProps) {
  const { Field } = useForm();
  return parts.map(({ name, schema, required, value: own }) => (
    <Field
      key={name}
      path={pathTo(path, name)}
      label={String(name)}
      schema={schema}
      required={required}
      value={own}
      onChange={(next) => onChange(withField(value, String(name), next))}
    />
  ));
}

/** A nested object. An optional one is added and removed with a button. */
export function ObjectField({ of, control, ...field }: ControlProps<'object'>) {
  const { root } = useForm();
  const absent = !control.there && !field.required;
  const actions = control.there && !field.required && (
    <>
      {field.actions}
      <SmallButton label={`Omit ${field.label}`} onClick={() => field.onChange(undefined)}>
        <X aria-hidden />
      </SmallButton>
    </>
  );
  return (
    <FieldFrame {...field} schema={of} group actions={actions || field.actions}>
      {() =>
        absent ? (
          <Button
            size="sm"
            className="w-fit"
            onClick={() => field.onChange(createInitialValue(root, of) ?? {})}
          >
            <Plus aria-hidden />
            Set {field.label}
          </Button>
        ) : (
          <div className={NESTED}>
            <Parts {...field} parts={control.parts} />
          </div>
        )
      }
    </FieldFrame>
  );
}
