import { connect, type Socket } from 'node:net';

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
 * @param pieces written one after another, `pauseMs` apart
 */
export async function exchange(
  port: number,
  pieces: readonly (string | Buffer)[],
  { pauseMs = 0, quietMs = 500, limitMs = 20_000 } = {},
): Promise<RawAnswer> {
  const socket = await openSocket(port);
  let text = '';
  let closed = false;
  let heard = Date.now();
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    heard = Date.now();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  const begun = Date.now();
  for (const piece of pieces) {
    if (closed) break;
    socket.write(piece);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  // Nothing heard yet is not quiet: the answer may still be made.
  while (!closed && Date.now() - begun < limitMs && (text === '' || Date.now() - heard < quietMs))
    await sleep(20);
  socket.destroy();
  const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
  return { text, statuses, closed };
}

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
