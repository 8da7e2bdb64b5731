'use client';

import { useSyncExternalStore } from 'react';
import { Toaster as Sonner, toast as sonner } from 'sonner';

/** Once, in the layout of the pages that use `toast`. */
export function Toaster() {
  // On a phone dialogs and their buttons sit at the bottom: toasts must not lie on them.
  const phone = useSyncExternalStore(watchWidth, isPhone, () => false);
  return (
    <Sonner
      position={phone ? 'top-center' : 'bottom-right'}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-lg border bg-raised px-4 py-3 text-sm text-ink shadow-pop sm:w-89',
          content: 'min-w-0 flex-1',
          title: 'font-medium',
          description: 'text-muted',
          icon: 'shrink-0',
          success: '[&_[data-icon]]:text-success',
          error: '[&_[data-icon]]:text-danger',
          actionButton: 'shrink-0 rounded-md border px-2.5 py-1 text-xs font-medium hover:bg-hover',
        },
      }}
    />
  );
}

const PHONE = '(width < 40rem)';

function watchWidth(listener: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

function isPhone(): boolean {
  return window.matchMedia(PHONE).matches;
}

interface ToastOptions {
  description?: string;
  /** For what can be taken back. */
  undo?: () => void;
}

function options({ description, undo }: ToastOptions = {}) {
  return { description, action: undo ? { label: 'Undo', onClick: undo } : undefined };
}

/** Says that something happened. Errors that the person must act on belong beside the thing instead. */
export const toast = {
  success: (title: string, more?: ToastOptions) => sonner.success(title, options(more)),
  error: (title: string, more?: ToastOptions) => sonner.error(title, { ...options(more), duration: 8_000 }),
  info: (title: string, more?: ToastOptions) => sonner(title, options(more)),
};
