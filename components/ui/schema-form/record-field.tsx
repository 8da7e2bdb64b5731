'use client';

import { useState } from 'react';
import { Button } from '../button';
import { Plus, X } from '../icons';
import { Input } from '../input';
import { withField } from './controls';
import { FieldFrame } from './field-frame';
import { pathTo } from './field-paths';
import { type ControlProps, controlId, NESTED, useForm } from './form-context';
import { createInitialValue, type JsonObject } from './json-schema';
import { SmallButton } from './small-button';
import { getClearedValue, useFocusNext, useKeys } from './use-items';

/** Fields with free names: each has a name and a value. */
export function RecordField({ of, control, ...field }: ControlProps<'record'>) {
  const { root, formId, Field } = useForm();
  const parts = control.parts ?? [];
  const keys = useKeys(parts.length);
  const focusNext = useFocusNext();
  const fields = Object.fromEntries(parts.map(({ name, value }) => [name, value])) as JsonObject;
  const change = (next: JsonObject) =>
    field.onChange(Object.keys(next).length === 0 && !field.required ? undefined : next);
  const addId = `${controlId(formId, field.path)}-add`;
  const nameId = (at: number) => `${controlId(formId, field.path)}-name-${at}`;

  function rename(old: string, name: string) {
    change(
      Object.fromEntries(
        Object.entries(fields).map(([known, value]) => [known === old ? name : known, value]),
      ),
    );
  }
  function remove(at: number, name: string) {
    keys.remove(at);
    change(withField(fields, name, undefined));
    focusNext(addId);
  }
  function add() {
    change({ ...fields, [freeName(fields)]: createInitialValue(root, control.item) ?? '' });
    focusNext(nameId(parts.length));
  }

  return (
    <FieldFrame {...field} schema={of} group>
      {() => (
        <div className={NESTED}>
          {parts.map((part, at) => (
            <div key={keys.all[at]} className="flex flex-col gap-2">
              <NameInput
                id={nameId(at)}
                label={`Name ${at + 1} of ${field.label}`}
                name={String(part.name)}
                taken={(name) => Object.hasOwn(fields, name)}
                onRename={(name) => rename(String(part.name), name)}
              />
              <Field
                path={pathTo(field.path, part.name)}
                label={String(part.name)}
                schema={part.schema}
                required={false}
                value={part.value}
                onChange={(next) =>
                  change(withField(fields, String(part.name), next ?? getClearedValue(part.value)))
                }
                actions={
                  <SmallButton label={`Remove ${part.name}`} onClick={() => remove(at, String(part.name))}>
                    <X aria-hidden />
                  </SmallButton>
                }
              />
            </div>
          ))}
          <Button id={addId} size="sm" className="w-fit" onClick={add}>
            <Plus aria-hidden />
            Add to {field.label}
          </Button>
        </div>
      )}
    </FieldFrame>
  );
}

function freeName(fields: JsonObject): string {
  let at = 1;
  while (Object.hasOwn(fields, `name${at}`)) at++;
  return `name${at}`;
}

interface NameInputProps {
  id: string;
  label: string;
  name: string;
  taken: (name: string) => boolean;
  onRename: (name: string) => void;
}

/**
 * The name of a record's field. A name already in use is rejected, because it would overwrite that
 * field.
 */
function NameInput({ id, label, name, taken, onRename }: NameInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const clash = typed !== null && typed !== name && taken(typed);
  return (
    <div className="flex flex-col gap-1">
      <Input
        id={id}
        aria-label={label}
        aria-invalid={clash || undefined}
        aria-describedby={clash ? `${id}-clash` : undefined}
        spellCheck={false}
        autoComplete="off"
        className="max-w-60 font-mono"
        value={typed ?? name}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => {
          if (typed !== null && !clash && typed !== name) onRename(typed);
          setTyped(null);
        }}
      />
      <p id={`${id}-clash`} role="alert" className="text-danger text-sm empty:hidden">
        {clash && 'Another field has this name.'}
      </p>
    </div>
  );
}
