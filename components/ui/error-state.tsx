'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { cn } from './cn';
import { CircleAlert, RotateCw } from './icons';

interface ErrorStateProps {
  title?: string;
  /** What happened and what to do. */
  children?: ReactNode;
  onRetry?: (() => void) | undefined;
  retrying?: boolean | undefined;
  /** To find the request in the operator's log. */
  requestId?: string | undefined;
  className?: string | undefined;
}

export function ErrorState({ title, children, onRetry, retrying, requestId, className }: ErrorStateProps) {
  return (
    <div role="alert" className={cn('flex flex-col items-center gap-2 px-6 py-12 text-center', className)}>
      <CircleAlert aria-hidden className="mb-1 size-6 stroke-[1.5] text-danger" />
      <p className="font-medium">{title ?? 'This could not be loaded'}</p>
      {children && <div className="max-w-md text-muted text-sm">{children}</div>}
      {requestId && <p className="font-mono text-muted text-xs">Request {requestId}</p>}
      {onRetry && (
        <Button size="sm" className="mt-3" onClick={onRetry} busy={retrying}>
          <RotateCw aria-hidden />
          Try again
        </Button>
      )}
    </div>
  );
}
