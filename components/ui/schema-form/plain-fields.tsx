'use client';

import { useState } from 'react';
import { cn } from '../cn';
import { Input } from '../input';
import { Select } from '../select';
import { Textarea } from '../textarea';
import { readNumber } from './controls';
import { FieldFrame, type Wiring } from './field-frame';
import { type ControlProps, type FieldProps, useForm } from './form-context';
import { formatEnumValue } from './hints';
import type { JsonSchema } from './json-schema';

/** With more options, radio buttons become a select. */
const MAX_RADIOS = 4;
const MAX_RADIO_CHARS = 44;
const INPUT_TYPES: Partial<Record<string, string>> = {
  email: 'email',
  date: 'date',
  'date-time': 'text',
  uri: 'url',
};

function getPlaceholder({ default: value }: JsonSchema): string | undefined {
  return value === undefined || value === '' ? undefined : formatEnumValue(value);
}

/** A text field of one or several lines. */
export function TextField({ of, control, ...field }: ControlProps<'text'>) {
  const change = (text: string) => field.onChange(text === '' && !field.required ? undefined : text);
  const type = typeof of.format === 'string' ? (INPUT_TYPES[of.format] ?? 'text') : 'text';
  return (
    <FieldFrame {...field} schema={of}>
      {(wiring) =>
        control.long ? (
          <Textarea
            {...wiring}
            rows={1}
            className="field-sizing-content max-h-96 min-h-9 py-1.5"
            spellCheck={false}
            value={control.text ?? ''}
            placeholder={getPlaceholder(of)}
            onChange={({ target }) => change(target.value)}
          />
        ) : (
          <Input
            {...wiring}
            type={type}
            spellCheck={false}
            autoComplete="off"
            value={control.text ?? ''}
            placeholder={getPlaceholder(of)}
            onChange={({ target }) => change(target.value)}
          />
        )
      }
    </FieldFrame>
  );
}

/** A number as it is typed: `1.` is incomplete. */
export function NumberField({ of, control, ...field }: ControlProps<'number'>) {
  const [typed, setTyped] = useState('');
  const current = control.text === undefined ? undefined : readNumber(control.text);
  // Keep the typed text while it represents the value.
  const text = current !== undefined && readNumber(typed) === current ? typed : (control.text ?? '');
  return (
    <FieldFrame {...field} schema={of}>
      {(wiring) => (
        <Input
          {...wiring}
          inputMode={control.integer ? 'numeric' : 'decimal'}
          autoComplete="off"
          className="max-w-60 tabular-nums"
          value={text}
          placeholder={getPlaceholder(of)}
          onChange={({ target }) => {
            setTyped(target.value);
            field.onChange(target.value.trim() === '' ? undefined : readNumber(target.value));
          }}
        />
      )}
    </FieldFrame>
  );
}

/** Yes or no, and “not set” if optional. */
export function BooleanField({ of, control, ...field }: ControlProps<'boolean'>) {
  const options = [
    { label: 'Yes', value: true },
    { label: 'No', value: false },
  ];
  return <Options {...field} of={of} options={options} chosen={control.chosen} />;
}

/** A choice of a few values. */
export function ChoiceField({ of, control, ...field }: ControlProps<'choice'>) {
  const options = control.options.map((value) => ({ label: formatEnumValue(value), value }));
  const chosen = control.chosen === undefined ? undefined : control.options[control.chosen];
  return <Options {...field} of={of} options={options} chosen={chosen} />;
}

interface Option {
  label: string;
  value: unknown;
}

interface OptionsProps extends FieldProps {
  of: JsonSchema;
  options: readonly Option[];
  chosen: unknown;
}

/**
 * Radio buttons for a few options, otherwise a select. An optional field has an extra option, named
 * after the default.
 */
function Options({ of, options, chosen, ...field }: OptionsProps) {
  const leftOut: Option = { label: getUnsetLabel(of, options), value: undefined };
  const all = field.required ? options : [leftOut, ...options];
  const few =
    all.length <= MAX_RADIOS && all.reduce((chars, { label }) => chars + label.length, 0) <= MAX_RADIO_CHARS;
  const shared = {
    options: all,
    chosen: all.findIndex(({ value }) => value === chosen),
    onChange: field.onChange,
  };
  return (
    <FieldFrame {...field} schema={of} group={few}>
      {(wiring) => (few ? <Radios {...shared} wiring={wiring} /> : <Choices {...shared} wiring={wiring} />)}
    </FieldFrame>
  );
}

function getUnsetLabel({ default: value }: JsonSchema, options: readonly Option[]): string {
  const known = options.find((option) => option.value === value);
  return value === undefined || !known ? 'Not set' : `Default (${known.label})`;
}

interface ChoosingProps {
  options: readonly Option[];
  chosen: number;
  onChange: (value: unknown) => void;
  wiring: Wiring;
}

function Radios({ options, chosen, onChange, wiring }: ChoosingProps) {
  return (
    <div className="flex w-fit max-w-full flex-wrap rounded-md border bg-sunken p-0.5">
      {options.map(({ label, value }, at) => (
        <label
          key={label}
          className={cn(
            'relative flex h-8 cursor-pointer items-center whitespace-nowrap rounded-sm px-3 font-medium text-muted text-sm hover:text-ink',
            'has-checked:bg-raised has-checked:text-ink has-checked:ring-1 has-checked:ring-line has-focus-visible:outline-2 has-focus-visible:outline-accent',
          )}
        >
          <input
            type="radio"
            name={wiring.id}
            checked={at === chosen}
            aria-describedby={wiring['aria-describedby']}
            onBlur={wiring.onBlur}
            onChange={() => onChange(value)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {label}
        </label>
      ))}
    </div>
  );
}

function Choices({ options, chosen, onChange, wiring }: ChoosingProps) {
  return (
    <Select
      {...wiring}
      className="max-w-80"
      value={chosen < 0 ? '' : String(chosen)}
      onChange={({ target }) => onChange(options[Number(target.value)]?.value)}
    >
      {chosen < 0 && <option value="">Choose</option>}
      {options.map(({ label }, at) => (
        <option key={label} value={String(at)}>
          {label}
        </option>
      ))}
    </Select>
  );
}

/** A file: rendered by the owner of the form, who knows the available files. */
export function FileField({ of, control, ...field }: ControlProps<'file'>) {
  const { renderFile } = useForm();
  return (
    <FieldFrame {...field} schema={of}>
      {({ onBlur: _, ...wiring }) =>
        renderFile({
          ...wiring,
          label: field.label,
          value: control.text,
          onChange: (next) => field.onChange(next === '' ? undefined : next),
          mediaType: control.mediaType,
        })
      }
    </FieldFrame>
  );
}
