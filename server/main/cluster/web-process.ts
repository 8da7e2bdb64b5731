import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GroupState, WebProcessGroup } from '../../kit/web-process-group';
import { BootError } from '../../platform/process/boot-error';
import { readBootedSettings } from '../../platform/settings/settings';
import type { Booted } from '../boot/boot';
import type { Membership, StopOptions } from '../boot/serve';
import { Ipc, type IpcChannel } from './ipc';
import { IPC_MS, type PrimaryMethods, type WebProcessMethods } from './messages';

/** Longer than the primary waits for the others. */
const COLLECT_MS = 2 * IPC_MS;
const CHECK_INTERVAL_MS = 100;

/** Connects this process with the primary that forked it. */
export function joinPrimary(): Membership {
  if (!process.send || !cluster.worker)
    throw new BootError('--web-process is for the gateway itself: start it with --processes N.');
  // Node would exit at once if the primary dies; `serve` finishes the running calls first.
  cluster.worker.exitedAfterDisconnect = true;
  let state: GroupState = 'starting';
  let onDrain: (options: StopOptions) => void = () => undefined;
  const primary = new Ipc<WebProcessMethods, PrimaryMethods>(process as IpcChannel, {
    ping: () => undefined,
    setState(next) {
      state = next;
      if (next === 'stopping') globalThis.__gateway?.leave?.();
    },
    drain: (options) => onDrain(options),
    readMetrics: async () => (await globalThis.__gateway?.readMetrics?.({ final: false })) ?? [],
    readFailedChecks: async () => (await globalThis.__gateway?.readFailedChecks?.()) ?? ['starting'],
    createSignInLink: async () => (await globalThis.__gateway?.createSignInLink?.()) ?? null,
  });
  const group: WebProcessGroup = {
    get state() {
      return state;
    },
    isAnotherReady: () => primary.call('isAnotherReady', COLLECT_MS),
    collectMetrics: () => primary.call('collectMetrics', COLLECT_MS),
  };
  return {
    group,
    onDrain(listener) {
      onDrain = listener;
    },
    async boot() {
      const answer = await primary.call('readEnvironment', COLLECT_MS);
      state = answer.state;
      Object.assign(process.env, answer.env);
      return createBooted();
    },
    async join(listen) {
      while ((await globalThis.__gateway?.readFailedChecks?.())?.length !== 0) await sleep(CHECK_INTERVAL_MS);
      await primary.call('prepareToListen', IPC_MS);
      await listen();
      await primary.call('reportReady', IPC_MS);
    },
    requestReplacement: () => primary.call('requestReplacement', IPC_MS),
    async leave() {
      const metrics = await globalThis.__gateway?.readMetrics?.({ final: true });
      if (metrics) await primary.call('saveMetrics', IPC_MS, metrics);
    },
  };
}

/** The primary owns the data folder and PostgreSQL. */
function createBooted(): Booted {
  return {
    settings: readBootedSettings(process.env),
    postgres: 'shared',
    stop: async () => undefined,
    stopNow: () => undefined,
  };
}
