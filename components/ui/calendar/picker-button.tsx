import type { ComponentProps } from 'react';
import { cn } from '../cn';
import { CalendarDays } from '../icons';

interface PickerButtonProps extends ComponentProps<'button'> {
  /** The accessible name, before the chosen value. */
  label: string;
  text: string;
  empty: boolean;
}

/** A button that looks like a field and opens a calendar. */
export function PickerButton({ label, text, empty, className, ...rest }: PickerButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={`${label}: ${text}`}
      className={cn('field-control flex h-9 items-center gap-2 px-3 text-left', className)}
    >
      <CalendarDays aria-hidden className="size-4 shrink-0 text-muted" />
      <span className={cn('truncate', empty && 'text-muted')}>{text}</span>
    </button>
  );
}
