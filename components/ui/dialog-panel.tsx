'use client';

import * as Primitive from 'radix-ui/dialog';
import { cn } from './cn';
import type { DialogProps } from './dialog';
import { X } from './icons';
import { BorrowedTrigger } from './lazy-overlay';
import { overlayClass, panelClass } from './panel-class';

interface DialogPanelProps extends Omit<DialogProps, 'trigger'> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  button: HTMLElement | null;
}

/** The lazily loaded part of `Dialog`. */
export function DialogPanel({
  open,
  onOpenChange,
  button,
  title,
  description,
  sticky,
  focusPanel,
  className,
  children,
}: DialogPanelProps) {
  const hold = sticky ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      {button && (
        <Primitive.Trigger asChild>
          <BorrowedTrigger element={button} />
        </Primitive.Trigger>
      )}
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClass} />
        <Primitive.Content
          className={cn(panelClass, focusPanel && 'outline-none', className)}
          onOpenAutoFocus={focusPanel ? focusItself : undefined}
          onEscapeKeyDown={hold}
          onPointerDownOutside={hold}
          onInteractOutside={hold}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Primitive.Title className="dialog-title">{title}</Primitive.Title>
          {description && (
            <Primitive.Description className="mt-1 text-muted text-sm">{description}</Primitive.Description>
          )}
          <div className="mt-4">{children}</div>
          {!sticky && (
            // Last, so that a field gets the focus first; `order` shows it next to the title.
            <div className="sticky top-0 z-2 order-first h-0 self-end">
              <Primitive.Close
                aria-label="Close"
                className="absolute -top-1 -right-1 flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink sm:-top-2 sm:-right-2"
              >
                <X aria-hidden className="size-4" />
              </Primitive.Close>
            </div>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function focusItself(event: Event): void {
  event.preventDefault();
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
}
