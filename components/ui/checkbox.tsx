import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';
import { Check } from './icons';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A native checkbox inside its label, so that the whole row is clickable. */
export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={cn('flex cursor-pointer items-start gap-2.5 text-sm', className)}>
      <span className="relative mt-0.5 flex size-4 shrink-0">
        <input
          type="checkbox"
          className="peer size-4 appearance-none rounded-sm border border-line-strong bg-surface checked:border-accent checked:bg-accent disabled:opacity-50"
          {...rest}
        />
        <Check
          aria-hidden
          strokeWidth={3}
          className="pointer-events-none absolute inset-0.5 hidden size-3 text-ink-inverse peer-checked:block"
        />
      </span>
      <span>
        <span className="block font-medium">{label}</span>
        {hint && <span className="block text-muted">{hint}</span>}
      </span>
    </label>
  );
}
