import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { Ipc, type IpcChannel, NoResponseError } from './ipc';

const LONG_MS = 60_000;

/** One end of a channel that serialises messages, like the one between processes. */
class FakeChannel extends EventEmitter implements IpcChannel {
  connected = true;
  other: FakeChannel | undefined;

  send(message: object, callback: (error: Error | null) => void): void {
    const text = JSON.stringify(message);
    setImmediate(() => this.other?.emit('message', JSON.parse(text)));
    callback(null);
  }

  close(): void {
    this.connected = false;
    this.emit('disconnect');
  }
}

interface Sums {
  add(pair: [number, number]): number;
  fail(): never;
  wait(): Promise<never>;
}

function connect() {
  const [near, far] = [new FakeChannel(), new FakeChannel()];
  [near.other, far.other] = [far, near];
  const ipc = new Ipc<Record<never, never>, Sums>(near, {});
  new Ipc<Sums, Record<never, never>>(far, {
    add: ([a, b]) => a + b,
    fail() {
      throw new TypeError('of the other end');
    },
    wait: () => new Promise(() => undefined),
  });
  return { ipc, near };
}

it('returns what the method of the other end returns, or throws', async () => {
  const { ipc } = connect();
  const sums = [ipc.call('add', LONG_MS, [1, 2]), ipc.call('add', LONG_MS, [3, 4])];
  expect(await Promise.all(sums)).toEqual([3, 7]);
  await expect(ipc.call('fail', LONG_MS)).rejects.toThrow('TypeError: of the other end');
});

it('throws if the other end does not respond in time, or the channel closes', async () => {
  const { ipc, near } = connect();
  await expect(ipc.call('wait', 1)).rejects.toThrow(NoResponseError);
  const waiting = ipc.call('wait', LONG_MS);
  near.close();
  await expect(waiting).rejects.toThrow('The channel is closed');
  await expect(ipc.call('add', LONG_MS, [1, 2])).rejects.toThrow(NoResponseError);
});

it.each([null, 'text', { ipc: 'request' }, { ipc: 'response', id: 5, value: 1, error: null }])(
  'ignores other messages: %j',
  async (message) => {
    const { ipc, near } = connect();
    near.emit('message', message);
    expect(await ipc.call('add', LONG_MS, [1, 2])).toBe(3);
  },
);
