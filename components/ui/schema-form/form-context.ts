'use client';

import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { Control } from './controls';
import type { FieldProblem } from './field-paths';
import type { JsonSchema } from './json-schema';

/** A file field, rendered by the owner of the form, who knows the available files. */
export interface FileFieldProps {
  id: string;
  /** The field's name, for buttons next to it. */
  label: string;
  value: string | undefined;
  onChange: (next: string | undefined) => void;
  /** The accepted media type: an image, a PDF, anything. */
  mediaType: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-required'?: boolean | undefined;
}

/** The context shared by all fields of a form. */
export interface FormContext {
  root: JsonSchema;
  formId: string;
  /** The visible problems, by the path that shows them. */
  problems: ReadonlyMap<string, readonly FieldProblem[]>;
  /** The field component, in the context so that fields can nest without an import cycle. */
  Field: ComponentType<FieldProps>;
  renderFile: (props: FileFieldProps) => ReactNode;
  /** Sets the parse error of a part edited as JSON, or clears it with null. */
  setBroken: (path: string, message: string | null) => void;
  /** Marks a field as visited, so that its problems are shown. */
  touch: (path: string) => void;
}

const Context = createContext<FormContext | null>(null);
export const FormProvider = Context.Provider;

export function useForm(): FormContext {
  const context = useContext(Context);
  if (!context) throw new Error('A field outside of a SchemaForm');
  return context;
}

/** The id of a part's control: links to it can be rendered before the control exists. */
export function controlId(formId: string, path: string): string {
  return `${formId}${encodeURIComponent(path)}`;
}

/** The frame of nested fields. */
export const NESTED = 'flex min-w-0 flex-col gap-4 border-l pl-4';

/** The props of a field for one part of the value. */
export interface FieldProps {
  path: string;
  label: string;
  schema: unknown;
  required: boolean;
  value: unknown;
  onChange: (next: unknown) => void;
  /** In a list or record: the buttons to remove or move the part. */
  actions?: ReactNode;
}

/** The props of a field with a known control. */
export type ControlProps<K extends Control['kind']> = FieldProps & {
  of: JsonSchema;
  control: Extract<Control, { kind: K }>;
};
