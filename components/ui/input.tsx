import type { ComponentProps } from 'react';
import { cn } from './cn';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn('field-control h-9 px-3', className)} {...rest} />;
}
