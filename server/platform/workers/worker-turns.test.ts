import { Duplex, PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { WorkerChannel } from './worker-channel';
import { frameHeader } from './worker-frames.mjs';

/** A channel whose worker returns a text of `length` when `end` is called. */
function createChannel(onMessage: (kind: string) => void) {
  const input = new PassThrough();
  let taskId = '';
  const output = new PassThrough();
  output.on('data', (bytes: Buffer) => {
    taskId = /"id":"([^"]+)"/.exec(bytes.toString())?.[1] ?? taskId;
  });
  const broken: string[] = [];
  const stream = Duplex.from({ readable: input, writable: output });
  const channel = new WorkerChannel(stream, (why) => broken.push(why));
  channel.listen(({ kind }) => onMessage(kind));
  channel.sendTask({ file: '', name: '', payload: null, reports: true });
  const send = (message: object) => {
    const bytes = Buffer.from(JSON.stringify({ id: taskId, ...message }));
    input.write(Buffer.concat([frameHeader(bytes.length), bytes]));
  };
  const end = (length: number) =>
    send({ kind: 'ended', reusable: true, ending: { kind: 'value', value: 'x'.repeat(length) } });
  return { send, end, broken, isReady: () => taskId !== '' };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('large results of ten workers that arrive together are handled in a turn of the event loop each @E22', async () => {
  let turns = 0;
  const handledIn: number[] = [];
  const channels = Array.from({ length: 10 }, () => createChannel(() => handledIn.push(turns)));
  while (!channels.every(({ isReady }) => isReady())) await turn();
  for (const { end } of channels) end(50_000);
  for (; handledIn.length < 10 && turns < 1_000; turns++) await turn();
  expect(new Set(handledIn).size).toBe(10);
});

it('messages keep their order, whatever their size', async () => {
  const kinds: string[] = [];
  const { send, end, broken, isReady } = createChannel((kind) => kinds.push(kind));
  while (!isReady()) await turn();
  send({ kind: 'started' });
  send({ kind: 'log', message: 'x'.repeat(10_000) });
  send({ kind: 'progress', fraction: 1 });
  end(50_000);
  for (let turns = 0; kinds.length < 4 && turns < 1_000; turns++) await turn();
  expect([kinds, broken]).toEqual([['started', 'log', 'progress', 'ended'], []]);
});
