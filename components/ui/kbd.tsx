import type { ReactNode } from 'react';
import { cn } from './cn';

export function Kbd({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <kbd
      className={cn(
        'inline-flex h-5 min-w-5 items-center justify-center rounded-sm border bg-sunken px-1 font-sans text-muted text-xs',
        className,
      )}
    >
      {children}
    </kbd>
  );
}
