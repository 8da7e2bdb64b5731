import type { ReactNode } from 'react';
import { cn } from './cn';

interface EmptyStateProps {
  icon?: ReactNode;
  /** What is missing: "No keys yet". */
  title: string;
  /** What to do next. */
  children?: ReactNode;
  /** The button, or the command to copy. */
  action?: ReactNode;
  className?: string;
}

export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cn('flex flex-col items-center gap-2 px-6 py-12 text-center', className)}>
      {icon && (
        <div aria-hidden className="mb-1 text-muted [&_svg]:size-6 [&_svg]:stroke-[1.5]">
          {icon}
        </div>
      )}
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-md text-muted text-sm">{children}</div>}
      {action && <div className="mt-3 max-w-full">{action}</div>}
    </div>
  );
}
