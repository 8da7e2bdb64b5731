'use client';

import { X } from 'lucide-react';
import * as Primitive from 'radix-ui/dialog';
import type { ReactNode } from 'react';
import { cn } from './cn';

export const overlayClass = 'fixed inset-0 z-40 animate-fade-in bg-black/45';
/** On a phone it sits at the bottom, where the thumb is; from there on in the middle. */
export const panelClass =
  'fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[92dvh] w-full flex-col overflow-y-auto rounded-t-xl border bg-raised p-5 shadow-pop animate-pop-in sm:top-[14vh] sm:bottom-auto sm:max-h-[76vh] sm:max-w-md sm:rounded-xl sm:p-6';

interface DialogProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** The button that opens it; gets the focus back. Leave out for a controlled dialog. */
  trigger?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  /** Keeps Escape and a press outside from closing it: for a secret that is shown once. */
  sticky?: boolean;
  className?: string;
  children: ReactNode;
}

/** A modal: keeps the focus inside, gives it back, closes on Escape. Put the buttons in `DialogActions`. */
export function Dialog({
  open,
  onOpenChange,
  trigger,
  title,
  description,
  sticky,
  className,
  children,
}: DialogProps) {
  const hold = sticky ? (event: Event) => event.preventDefault() : undefined;
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>}
      <Primitive.Portal>
        <Primitive.Overlay className={overlayClass} />
        <Primitive.Content
          className={cn(panelClass, className)}
          onEscapeKeyDown={hold}
          onPointerDownOutside={hold}
          onInteractOutside={hold}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Primitive.Title className="pr-8 font-semibold text-lg leading-6">{title}</Primitive.Title>
          {description && (
            <Primitive.Description className="mt-1 text-muted text-sm">{description}</Primitive.Description>
          )}
          <div className="mt-4">{children}</div>
          {!sticky && (
            <Primitive.Close
              aria-label="Close"
              className="absolute top-4 right-4 flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </Primitive.Close>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Wraps one button: pressing it closes the dialog. */
export function DialogClose({ children }: { children: ReactNode }) {
  return <Primitive.Close asChild>{children}</Primitive.Close>;
}

/** The row of buttons at the end; the main one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}
