'use client';

import type { ReactNode } from 'react';
import { controlId, type FieldProps, useForm } from './form-context';
import { describeLimits } from './hints';
import type { JsonSchema } from './json-schema';

/** The attributes that connect a control with the texts around it. */
export interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
  'aria-required': boolean | undefined;
  onBlur: () => void;
}

interface FrameProps extends Pick<FieldProps, 'path' | 'label' | 'required' | 'actions'> {
  schema: JsonSchema;
  /** `group` for several controls, named by a legend; otherwise one control, named by a label. */
  group?: boolean;
  /** Wraps another field of the same path, which has the id and shows the problems. */
  around?: boolean;
  children: (wiring: Wiring) => ReactNode;
}

/** A field with its name, hint and problems. */
export function FieldFrame({ path, label, schema, required, group, around, actions, children }: FrameProps) {
  const { formId, problems, touch } = useForm();
  const id = controlId(formId, around ? `${path}#` : path);
  const found = (!around && problems.get(path)) || [];
  const hint = buildHint(schema);
  const described = [hint && `${id}-hint`, found.length > 0 && `${id}-problem`].filter(Boolean).join(' ');
  const wiring: Wiring = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': found.length > 0 || undefined,
    'aria-required': required || undefined,
    onBlur: () => touch(path),
  };
  const inside = (
    <>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {children(wiring)}
      <p id={`${id}-problem`} role="alert" className="text-danger text-sm empty:hidden">
        {found.map((problem) => formatProblem(problem, path)).join(' ')}
      </p>
    </>
  );
  const Box = group ? GroupBox : ControlBox;
  return (
    <Box
      id={id}
      name={<FieldName label={label} required={required} />}
      actions={actions}
      describedBy={described}
    >
      {inside}
    </Box>
  );
}

function FieldName({ label, required }: Pick<FieldProps, 'label' | 'required'>) {
  return (
    <span>
      <span className="break-all font-mono text-xs">{label}</span>
      {required && <span className="font-normal text-muted text-xs"> required</span>}
    </span>
  );
}

interface BoxProps {
  id: string;
  name: ReactNode;
  actions: ReactNode;
  describedBy: string;
  children: ReactNode;
}

const STACK = 'flex min-w-0 flex-col gap-1.5';

/** One control, named by a label. */
function ControlBox({ id, name, actions, children }: BoxProps) {
  return (
    <div className={STACK}>
      <div className="flex items-center justify-between gap-2">
        <label htmlFor={id} className="font-medium text-sm">
          {name}
        </label>
        {actions}
      </div>
      {children}
    </div>
  );
}

/** Several controls, named by a legend. */
function GroupBox({ id, name, actions, describedBy, children }: BoxProps) {
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={describedBy || undefined} className={STACK}>
      <legend className="float-left flex w-full items-center justify-between gap-2 font-medium text-sm">
        {name}
        {actions}
      </legend>
      {children}
    </fieldset>
  );
}

/** A problem deeper inside is shown with its relative path. */
function formatProblem({ path, message }: { path: string; message: string }, at: string): string {
  const inside = path.startsWith(at) ? path.slice(at.length).replace(/^\./, '') : path;
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return inside === '' ? sentence : `${inside}: ${sentence}`;
}

function buildHint(schema: JsonSchema): string | null {
  if (typeof schema.description === 'string' && schema.description !== '') return schema.description;
  return describeLimits(schema);
}
