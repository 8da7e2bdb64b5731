'use client';

import { type ComponentType, useEffect, useSyncExternalStore } from 'react';

type Kind = 'success' | 'error' | 'info';

interface ToastOptions {
  description?: string;
  /** For what can be taken back. */
  undo?: () => void;
}

/** One thing that is said. */
export interface ToastMessage extends ToastOptions {
  kind: Kind;
  title: string;
}

interface ToastHostProps {
  /** It can show them from now on. */
  onReady: (show: (message: ToastMessage) => void) => void;
}

let Host: ComponentType<ToastHostProps> | null = null;
let show: ((message: ToastMessage) => void) | null = null;
let waiting: ToastMessage[] = [];
const listeners = new Set<() => void>();

/** Once, in the layout of the pages that use `toast`. What shows them is loaded with the first. */
export function Toaster() {
  const Loaded = useSyncExternalStore(subscribe, currentHost, () => null);
  useEffect(
    () => () => {
      show = null;
    },
    [],
  );
  return Loaded && <Loaded onReady={start} />;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function currentHost() {
  return Host;
}

function start(shown: (message: ToastMessage) => void) {
  show = shown;
  for (const message of waiting.splice(0)) shown(message);
}

function say(kind: Kind, title: string, more?: ToastOptions) {
  const message = { kind, title, ...more };
  if (show) {
    show(message);
    return;
  }
  waiting.push(message);
  import('./toast-host').then(
    ({ ToastHost }) => {
      Host = ToastHost;
      for (const listener of listeners) listener();
    },
    // Without a connection there is nothing to show it with.
    () => {
      waiting = [];
    },
  );
}

/** Says that something happened. Errors that the person must act on belong beside the thing instead. */
export const toast = {
  success: (title: string, more?: ToastOptions) => say('success', title, more),
  error: (title: string, more?: ToastOptions) => say('error', title, more),
  info: (title: string, more?: ToastOptions) => say('info', title, more),
};
