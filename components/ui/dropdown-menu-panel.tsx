'use client';

import * as Primitive from 'radix-ui/dropdown-menu';
import { type ReactNode, useEffect, useRef } from 'react';
import { BorrowedTrigger } from './lazy-overlay';
import { MenuParts } from './menu-parts';

interface DropdownMenuPanelProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  button: HTMLElement | null;
  byKeyboard: boolean;
  align: 'start' | 'center' | 'end';
  children: ReactNode;
}

const PARTS = { Item: Primitive.Item, Label: Primitive.Label, Separator: Primitive.Separator };

/** The lazily loaded part of `DropdownMenu`. */
export function DropdownMenuPanel({
  open,
  onOpenChange,
  button,
  byKeyboard,
  align,
  children,
}: DropdownMenuPanelProps) {
  const content = useRef<HTMLDivElement>(null);
  // radix was loaded after the key press: focus the first item if the keyboard opened the menu.
  useEffect(() => {
    if (!open || !byKeyboard) return;
    const timer = setTimeout(() => {
      const menu = content.current;
      if (document.activeElement !== menu) return;
      menu?.querySelector<HTMLElement>('[role="menuitem"]:not([data-disabled])')?.focus();
    });
    return () => clearTimeout(timer);
  }, [open, byKeyboard]);
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>
        <BorrowedTrigger element={button} />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          ref={content}
          // Its default references the id of a trigger that radix did not render.
          aria-labelledby={undefined}
          aria-label={button?.getAttribute('aria-label') ?? button?.textContent ?? undefined}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 min-w-48 animate-pop-in rounded-lg border bg-raised p-1 shadow-pop"
        >
          <MenuParts value={PARTS}>{children}</MenuParts>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
