'use client';

import { Slot } from 'radix-ui/slot';
import { type ComponentProps, type KeyboardEvent, type ReactNode, use, useState } from 'react';
import { cn } from './cn';
import { useLazyOverlay } from './lazy-overlay';
import { MenuParts } from './menu-parts';

interface DropdownMenuProps {
  /** The button that opens it. */
  trigger: ReactNode;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
}

const loadPanel = () => import('./dropdown-menu-panel').then(({ DropdownMenuPanel }) => DropdownMenuPanel);

/** A menu of acts. Its code comes when the button is about to be pressed. */
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
          // A press of Enter or Space is a click without one.
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
  /** It was chosen, by press or key; the menu closes. */
  onSelect?: (event: Event) => void;
  /** Styles the only child instead (a link). */
  asChild?: boolean;
  /** Ends something: red, and still asks before it does. */
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
