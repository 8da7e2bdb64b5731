'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import type { ToastMessage } from './toast';

const ERROR_SHOWN_MS = 8_000;
/** Longer than other toasts: it must be read and reached with the keyboard or a screen reader. */
const UNDO_SHOWN_MS = 10_000;

/** The lazily loaded part of `toast`, which renders messages. */
export function ToastHost({ onReady }: { onReady: (show: (message: ToastMessage) => void) => void }) {
  // On a phone, dialogs are at the bottom, so toasts appear at the top.
  const phone = useSyncExternalStore(watchWidth, isPhone, () => false);
  // After Sonner's own effect, which starts its listener.
  useEffect(() => onReady(show), [onReady]);
  return (
    <Sonner
      position={phone ? 'top-center' : 'bottom-right'}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-3 rounded-lg border bg-raised px-4 py-3 font-sans text-sm text-ink shadow-pop sm:w-89',
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

function show({ kind, title, description, undo }: ToastMessage) {
  const options = {
    description,
    ...(undo ? { action: { label: 'Undo', onClick: undo }, duration: UNDO_SHOWN_MS } : {}),
  };
  if (kind === 'success') toast.success(title, options);
  else if (kind === 'error') toast.error(title, { ...options, duration: ERROR_SHOWN_MS });
  else toast(title, options);
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
