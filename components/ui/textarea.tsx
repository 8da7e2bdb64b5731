import type { ComponentProps } from 'react';
import { cn } from './cn';

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={rows} className={cn('field-control px-3 py-2', className)} {...rest} />;
}
