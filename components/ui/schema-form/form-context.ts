'use client';

import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { Control } from './controls';
import type { FieldProblem } from './field-paths';
import type { JsonSchema } from './json-schema';

/** A field that takes a file, for whoever knows what files there are. */
export interface FileFieldProps {
  id: string;
  /** The name of the field, for buttons beside it. */
  label: string;
  value: string | undefined;
  onChange: (next: string | undefined) => void;
  /** What it should be: an image, a PDF, anything. */
  mediaType: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-required'?: boolean | undefined;
}

/** What every field of one form shares. */
export interface FormContext {
  root: JsonSchema;
  formId: string;
  /** What is wrong, by the place that shows it; only what is to be shown yet. */
  problems: ReadonlyMap<string, readonly FieldProblem[]>;
  /** The field for any part; here, so that fields can hold fields. */
  Field: ComponentType<FieldProps>;
  renderFile: (props: FileFieldProps) => ReactNode;
  /** A part written as JSON is none yet (its message), or is again (null). */
  setBroken: (path: string, message: string | null) => void;
  /** The person has been here: what is wrong with it may be said. */
  touch: (path: string) => void;
}

const Context = createContext<FormContext | null>(null);
export const FormProvider = Context.Provider;

export function useForm(): FormContext {
  const context = useContext(Context);
  if (!context) throw new Error('A field outside of a SchemaForm');
  return context;
}

/** The id of the control of a place: links to it can be written before it is there. */
export function controlId(formId: string, path: string): string {
  return `${formId}${encodeURIComponent(path)}`;
}

/** The frame of what is inside of a field. */
export const NESTED = 'flex min-w-0 flex-col gap-4 border-l pl-4';

/** One field's part of the value. */
export interface FieldProps {
  path: string;
  label: string;
  schema: unknown;
  required: boolean;
  value: unknown;
  onChange: (next: unknown) => void;
  /** In a list or record: takes the whole part away. */
  actions?: ReactNode;
}

/** A field whose control is known. */
export type ControlProps<K extends Control['kind']> = FieldProps & {
  of: JsonSchema;
  control: Extract<Control, { kind: K }>;
};
