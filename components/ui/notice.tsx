import type { ReactNode } from 'react';
import { cn } from './cn';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from './icons';

const TONES = {
  info: { icon: Info, frame: 'bg-sunken', mark: 'text-muted' },
  success: { icon: CircleCheck, frame: 'bg-success-soft border-transparent', mark: 'text-success' },
  warning: { icon: TriangleAlert, frame: 'bg-warning-soft border-transparent', mark: 'text-warning' },
  danger: { icon: CircleAlert, frame: 'bg-danger-soft border-transparent', mark: 'text-danger' },
} as const;

interface NoticeProps {
  tone?: keyof typeof TONES;
  title?: ReactNode;
  /** Announces the notice when it appears. */
  live?: boolean;
  className?: string;
  children?: ReactNode;
}

/** A persistent message next to what it is about. */
export function Notice({ tone = 'info', title, live, className, children }: NoticeProps) {
  const { icon: Icon, frame, mark } = TONES[tone];
  return (
    <div
      role={live ? (tone === 'danger' ? 'alert' : 'status') : undefined}
      className={cn('flex gap-3 rounded-lg border px-4 py-3 text-sm', frame, className)}
    >
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', mark)} />
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className={cn(title && 'mt-0.5')}>{children}</div>}
      </div>
    </div>
  );
}
