'use client';

import { Ban } from '../icons';
import { chooseControl, type Described } from './controls';
import { FieldFrame } from './field-frame';
import { type FieldProps, useForm } from './form-context';
import { JsonField } from './json-field';
import { createInitialValue } from './json-schema';
import { ListField } from './list-field';
import { ObjectField } from './object-field';
import { BooleanField, ChoiceField, FileField, NumberField, TextField } from './plain-fields';
import { RecordField } from './record-field';
import { SmallButton } from './small-button';
import { VariantsField } from './variants-field';

/** The field for a part: by its schema, or as JSON if the value does not match it. */
export function Field(props: FieldProps) {
  const { root } = useForm();
  const described = chooseControl(root, props.schema, props.value);
  const { control, nullable, schema } = described;
  if (control.kind === 'null') return <NullField {...props} of={schema} />;
  if (!nullable) return <Plain {...props} described={described} />;
  const actions = (
    <>
      <SmallButton label={`Set ${props.label} to null`} onClick={() => props.onChange(null)}>
        <Ban aria-hidden />
      </SmallButton>
      {props.actions}
    </>
  );
  return <Plain {...props} described={described} actions={<span className="flex">{actions}</span>} />;
}

function Plain({ described, ...props }: FieldProps & { described: Described }) {
  const { control, schema: of } = described;
  switch (control.kind) {
    case 'text':
      return <TextField {...props} of={of} control={control} />;
    case 'number':
      return <NumberField {...props} of={of} control={control} />;
    case 'boolean':
      return <BooleanField {...props} of={of} control={control} />;
    case 'choice':
      return <ChoiceField {...props} of={of} control={control} />;
    case 'file':
      return <FileField {...props} of={of} control={control} />;
    case 'list':
      return <ListField {...props} of={of} control={control} />;
    case 'object':
      return <ObjectField {...props} of={of} control={control} />;
    case 'record':
      return <RecordField {...props} of={of} control={control} />;
    case 'variants':
      return <VariantsField {...props} of={of} control={control} />;
    case 'json':
      return <JsonField {...props} of={of} control={control} />;
    case 'null':
      return null;
  }
}

/** A field explicitly set to null. */
function NullField({ of, ...field }: FieldProps & { of: Described['schema'] }) {
  const { root } = useForm();
  return (
    <FieldFrame {...field} schema={of}>
      {({ id, 'aria-describedby': describedBy }) => (
        <button
          type="button"
          id={id}
          aria-describedby={describedBy}
          className="field-control flex h-9 max-w-60 items-center justify-between px-3 text-left"
          onClick={() => field.onChange(field.required ? (createInitialValue(root, of) ?? '') : undefined)}
        >
          <code className="font-mono text-xs">null</code>
          <span className="text-muted text-sm">Set a value</span>
        </button>
      )}
    </FieldFrame>
  );
}
