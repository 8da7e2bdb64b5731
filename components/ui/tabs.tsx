'use client';

import * as Primitive from 'radix-ui/tabs';
import type { ComponentProps } from 'react';
import { cn } from './cn';

/** `<Tabs defaultValue>` with `TabList label`, `Tab value`, `TabPanel value`. Arrow keys move between tabs. */
export function Tabs(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root {...props} />;
}

export function TabList({
  label,
  className,
  ...rest
}: ComponentProps<typeof Primitive.List> & { label: string }) {
  return (
    <Primitive.List
      aria-label={label}
      className={cn('flex gap-4 overflow-x-auto border-b', className)}
      {...rest}
    />
  );
}

export function Tab({ className, ...rest }: ComponentProps<typeof Primitive.Trigger>) {
  return (
    <Primitive.Trigger
      className={cn(
        '-mb-px whitespace-nowrap border-transparent border-b-2 px-0.5 py-2 font-medium text-muted text-sm hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-ink',
        className,
      )}
      {...rest}
    />
  );
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return <Primitive.Content className={cn('pt-4', className)} {...rest} />;
}
