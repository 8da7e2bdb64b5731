'use client';

import * as Primitive from 'radix-ui/popover';
import type { ReactNode } from 'react';
import { cn } from './cn';
import { BorrowedTrigger } from './lazy-overlay';

interface PopoverPanelProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  button: HTMLElement | null;
  label: string;
  side?: 'top' | 'bottom';
  align?: 'start' | 'center' | 'end';
  sideOffset?: number;
  className?: string;
  children: ReactNode;
}

/** The lazily loaded part of `Popover`. */
export function PopoverPanel({
  open,
  onOpenChange,
  button,
  label,
  side = 'bottom',
  align = 'end',
  sideOffset = 6,
  className,
  children,
}: PopoverPanelProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>
        <BorrowedTrigger element={button} />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          align={align}
          sideOffset={sideOffset}
          collisionPadding={8}
          aria-label={label}
          className={cn('z-50 animate-pop-in rounded-lg border bg-raised shadow-pop', className)}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
