'use client';

import { type ComponentType, useEffect, useSyncExternalStore } from 'react';
import { PartProblem } from './part-problem';

type Kind = 'success' | 'error' | 'info';

interface ToastOptions {
  description?: string;
  /** Reverts the action. */
  undo?: () => void;
}

/** A message to show. */
export interface ToastMessage extends ToastOptions {
  kind: Kind;
  title: string;
}

interface ToastHostProps {
  /** Called once the host can show messages. */
  onReady: (show: (message: ToastMessage) => void) => void;
}

let Host: ComponentType<ToastHostProps> | null = null;
let show: ((message: ToastMessage) => void) | null = null;
let waiting: ToastMessage[] = [];
const listeners = new Set<() => void>();

/**
 * Rendered once in the layout of pages that use `toast`. The host is loaded with the first message.
 */
export function Toaster() {
  const Loaded = useSyncExternalStore(subscribe, currentHost, () => null);
  useEffect(
    () => () => {
      show = null;
    },
    [],
  );
  return (
    <>
      <PartProblem />
      {Loaded && <Loaded onReady={start} />}
    </>
  );
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
    // Offline: the host cannot be loaded.
    () => {
      waiting = [];
    },
  );
}

/** Shows that something happened. Show errors that need action next to their cause instead. */
export const toast = {
  success: (title: string, more?: ToastOptions) => say('success', title, more),
  error: (title: string, more?: ToastOptions) => say('error', title, more),
  info: (title: string, more?: ToastOptions) => say('info', title, more),
};
