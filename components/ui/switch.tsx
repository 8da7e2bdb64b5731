'use client';

import * as Primitive from 'radix-ui/switch';
import type { ComponentProps } from 'react';
import { cn } from './cn';

/** On or off, at once. Put it in a `Field`, or give it `aria-label`. */
export function Switch({ className, ...rest }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      className={cn(
        'inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-line-strong bg-sunken p-0.5 transition-colors disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent',
        className,
      )}
      {...rest}
    >
      <Primitive.Thumb className="size-4.5 rounded-full bg-line-strong transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-ink-inverse" />
    </Primitive.Root>
  );
}
