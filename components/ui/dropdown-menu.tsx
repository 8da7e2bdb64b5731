'use client';

import { Slot } from 'radix-ui/slot';
import { type ComponentProps, type KeyboardEvent, type ReactNode, use, useState } from 'react';
import { cn } from './cn';
import { useLazyOverlay } from './lazy-overlay';
import { MenuParts } from './menu-parts';

interface DropdownMenuProps {
  /** The button that opens the menu. */
  trigger: ReactNode;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
}

const loadPanel = () => import('./dropdown-menu-panel').then(({ DropdownMenuPanel }) => DropdownMenuPanel);

/** A menu of actions. Its code is prefetched on hover and focus. */
export function DropdownMenu({ trigger, align = 'end', children }: DropdownMenuProps) {
  const [open, setOpen] = useState(false);
  const [byKeyboard, setByKeyboard] = useState(false);
  const [button, setButton] = useState<HTMLElement | null>(null);
  const { Overlay, intent } = useLazyOverlay(loadPanel, open);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    setByKeyboard(true);
    setOpen(true);
  }

  return (
    <>
      <Slot
        ref={setButton}
        aria-haspopup="menu"
        aria-expanded={open}
        data-state={open ? 'open' : 'closed'}
        onClick={(event) => {
          // Enter and Space fire a click with a detail of 0.
          setByKeyboard(event.detail === 0);
          setOpen(!open);
        }}
        onKeyDown={onKeyDown}
        {...intent}
      >
        {trigger}
      </Slot>
      {Overlay && (
        <Overlay open={open} onOpenChange={setOpen} button={button} byKeyboard={byKeyboard} align={align}>
          {children}
        </Overlay>
      )}
    </>
  );
}

const itemClass =
  'flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-sm px-2.5 py-1.5 text-sm outline-none data-[disabled]:cursor-not-allowed data-[highlighted]:bg-hover data-[disabled]:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted';

interface ItemProps extends Omit<ComponentProps<'div'>, 'onSelect'> {
  disabled?: boolean;
  /** Called on selection by click or key, before the menu closes. */
  onSelect?: (event: Event) => void;
  /** Styles the only child instead (a link). */
  asChild?: boolean;
  /** A destructive action: red, and confirmed in a dialog. */
  danger?: boolean;
}

export function DropdownMenuItem({ danger, className, ...rest }: ItemProps) {
  const parts = use(MenuParts);
  if (!parts) return null;
  return (
    <parts.Item className={cn(itemClass, danger && 'text-danger [&_svg]:text-danger', className)} {...rest} />
  );
}

export function DropdownMenuLabel({ children }: { children: ReactNode }) {
  const parts = use(MenuParts);
  if (!parts) return null;
  return <parts.Label className="px-2.5 py-1.5 text-muted text-xs">{children}</parts.Label>;
}

export function DropdownMenuSeparator() {
  const parts = use(MenuParts);
  if (!parts) return null;
  return <parts.Separator className="-mx-1 my-1 h-px bg-line" />;
}
