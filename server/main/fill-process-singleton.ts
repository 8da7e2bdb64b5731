import { Dispatcher } from '../api/dispatch/dispatch';
import { nodeAdapter } from '../api/dispatch/node-adapter';
import { createSignInLink } from '../identity/sessions/create-sign-in-link';
import { readBootedSettings } from '../platform/settings/settings';
import { tools } from '../tools/registry';
import { watchPages } from './observe/watch-pages';
import { closeProcess, startRuntime } from './start-runtime';

const WARM_AFTER_MS = 2000;

/** Starts the runtime of this process and publishes it to both sides of Next's bundle. */
export function fillProcessSingleton(): void {
  const slot = globalThis.__gateway ?? {};
  globalThis.__gateway = slot;
  if (slot.runtime) return;
  const settings = readBootedSettings(process.env);
  // next-auth builds its links from this; it must never come from a Host header.
  process.env.NEXTAUTH_URL = settings.baseUrl;
  const started = startRuntime({ settings, log: slot.log, group: slot.group, waits: true });
  const { runtime } = started;
  slot.runtime = runtime;
  slot.begin = () => {
    started.begin();
    // Delayed, so that it does not compete with the start for CPU.
    setTimeout(() => {
      for (const tool of tools)
        void tool
          .warm?.()
          .catch((error) => runtime.log.warn('tool.warm_up_failed', { tool: tool.name, error }));
    }, WARM_AFTER_MS).unref();
  };
  slot.close = () => closeProcess(started);
  slot.leave = () => runtime.observer.health.markStopping();
  slot.readMetrics = (options) => runtime.observer.readMetrics(options);
  slot.readFailedChecks = () => runtime.observer.health.failedChecks();
  slot.watch = watchPages(runtime.observer);
  slot.createSignInLink = () => createSignInLink(runtime, settings.operatorEmail);
  // In development the routes answer through Next, so that edits reload.
  if (process.env.NODE_ENV === 'production')
    slot.dispatch = nodeAdapter(new Dispatcher(runtime), undefined, slot.unread);
}
