'use client';

import { cloneElement, type ReactElement, type ReactNode, useId } from 'react';
import { cn } from './cn';

interface Controllable {
  id?: string;
  required?: boolean;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** What to enter and why, below the label. */
  hint?: ReactNode;
  /** What is wrong and how to fix it; announced when it appears. */
  error?: ReactNode;
  optional?: boolean;
  className?: string;
  /** One control (Input, Textarea, Select, …), which gets the id and the aria attributes. */
  children: ReactElement<Controllable>;
}

/** A control with its label, hint and error, connected by aria attributes. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const generated = useId();
  const id = children.props.id ?? generated;
  const described = [children.props['aria-describedby'], hint && `${id}-hint`, error && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <Label htmlFor={id} optional={optional}>
        {label}
      </Label>
      {hint && (
        <p id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </p>
      )}
      {cloneElement(children, {
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <p id={`${id}-error`} role="alert" className="text-danger text-sm empty:hidden">
        {error}
      </p>
    </div>
  );
}

interface LabelProps {
  htmlFor: string;
  optional?: boolean | undefined;
  className?: string;
  children: ReactNode;
}

export function Label({ htmlFor, optional, className, children }: LabelProps) {
  return (
    <label htmlFor={htmlFor} className={cn('font-medium text-sm', className)}>
      {children}
      {optional && <span className="font-normal text-muted"> (optional)</span>}
    </label>
  );
}
