import { connect, type Socket } from 'node:net';

const LOOK_MS = 20;

/** What came back on one connection. */
export interface RawAnswer {
  text: string;
  /** Status lines in it, in order. */
  statuses: number[];
  /** Whether the server has ended the connection. */
  closed: boolean;
}

/**
 * Writes bytes to a socket as they are and collects what comes, till the server ends the connection or says nothing more.
 * @param pieces written one after another, `pauseMs` apart; `inTurn`: each once one more status line has come
 */
export async function exchange(
  port: number,
  pieces: readonly (string | Buffer)[],
  { pauseMs = 0, quietMs = 500, limitMs = 20_000, inTurn = false } = {},
): Promise<RawAnswer> {
  const socket = await openSocket(port);
  let text = '';
  let closed = false;
  // Counted instead of timed: a process that stood still has looked once, not for so long.
  let quietLooks = 0;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    quietLooks = 0;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  const begun = Date.now();
  const mayGoOn = () => !closed && Date.now() - begun < limitMs;
  for (const [at, piece] of pieces.entries()) {
    while (inTurn && mayGoOn() && readStatuses(text).length < at) await sleep(LOOK_MS);
    if (closed) break;
    socket.write(piece);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  // Nothing heard yet is not quiet: the answer may still be made.
  while (mayGoOn() && (text === '' || quietLooks++ < quietMs / LOOK_MS)) await sleep(LOOK_MS);
  socket.destroy();
  return { text, statuses: readStatuses(text), closed };
}

const readStatuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));

/** A connection on which nothing was asked yet. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
