'use client';

import { Button } from '../button';
import { ArrowDown, ArrowUp, Plus, X } from '../icons';
import { FieldFrame } from './field-frame';
import { pathTo } from './field-paths';
import { type ControlProps, controlId, NESTED, useForm } from './form-context';
import { createInitialValue } from './json-schema';
import { SmallButton } from './small-button';
import { getClearedValue, useFocusNext, useKeys } from './use-items';

/** A list of items that can be added, removed and moved. */
export function ListField({ of, control, ...field }: ControlProps<'list'>) {
  const { root, formId, Field } = useForm();
  const parts = control.parts ?? [];
  const keys = useKeys(parts.length);
  const focusNext = useFocusNext();
  const items = parts.map((part) => part.value);
  const change = (next: unknown[]) => field.onChange(next.length === 0 && !field.required ? undefined : next);
  const getItemId = (at: number) => controlId(formId, pathTo(field.path, at));

  function move(from: number, to: number) {
    const next = [...items];
    next.splice(to, 0, ...next.splice(from, 1));
    keys.move(from, to);
    change(next);
    focusNext(getItemId(to));
  }

  function remove(at: number) {
    keys.remove(at);
    change(items.filter((_, index) => index !== at));
    focusNext(items.length > 1 ? getItemId(Math.max(0, at - 1)) : `${getItemId(0)}-add`);
  }

  return (
    <FieldFrame {...field} schema={of} group>
      {() => (
        <div className={NESTED}>
          {parts.map((part, at) => (
            <Field
              key={keys.all[at]}
              path={pathTo(field.path, at)}
              label={`${field.label}[${at}]`}
              schema={part.schema}
              required={false}
              value={part.value}
              onChange={(next) =>
                change(items.map((item, index) => (index === at ? (next ?? getClearedValue(item)) : item)))
              }
              actions={
                <ItemActions
                  label={`${field.label}[${at}]`}
                  onUp={at > 0 ? () => move(at, at - 1) : undefined}
                  onDown={at < parts.length - 1 ? () => move(at, at + 1) : undefined}
                  onRemove={() => remove(at)}
                />
              }
            />
          ))}
          <Button
            id={`${getItemId(0)}-add`}
            size="sm"
            className="w-fit"
            onClick={() => {
              change([...items, createInitialValue(root, control.item) ?? null]);
              focusNext(getItemId(items.length));
            }}
          >
            <Plus aria-hidden />
            Add to {field.label}
          </Button>
        </div>
      )}
    </FieldFrame>
  );
}

interface ItemActionsProps {
  label: string;
  /** Undefined for the first item. */
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onRemove: () => void;
}

function ItemActions({ label, onUp, onDown, onRemove }: ItemActionsProps) {
  return (
    <span className="flex">
      <SmallButton label={`Move ${label} up`} disabled={!onUp} onClick={onUp}>
        <ArrowUp aria-hidden />
      </SmallButton>
      <SmallButton label={`Move ${label} down`} disabled={!onDown} onClick={onDown}>
        <ArrowDown aria-hidden />
      </SmallButton>
      <SmallButton label={`Remove ${label}`} onClick={onRemove}>
        <X aria-hidden />
      </SmallButton>
    </span>
  );
}
