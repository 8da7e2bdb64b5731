import type { ComponentProps } from 'react';
import { cn } from './cn';
import { ChevronDown } from './icons';

/**
 * The native select (best on phones and with the keyboard), in our style. Children are `<option>`s.
 */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={cn('relative', className)}>
      <select className="field-control h-9 appearance-none truncate pr-9 pl-3" {...rest}>
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </div>
  );
}
