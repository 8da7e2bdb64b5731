import { connect, type Socket } from 'node:net';

const POLL_MS = 20;

/** The data received on one connection. */
export interface RawAnswer {
  text: string;
  /** The HTTP statuses in it, in order. */
  statuses: number[];
  /** Whether the server closed the connection. */
  closed: boolean;
}

/**
 * Writes raw bytes to a socket and collects the response until the server closes the connection or
 * sends nothing for `quietMs`.
 * @param pieces written `pauseMs` apart; with `inTurn`, each after the response to the previous one
 */
export async function exchange(
  port: number,
  pieces: readonly (string | Buffer)[],
  { pauseMs = 0, quietMs = 500, limitMs = 20_000, inTurn = false } = {},
): Promise<RawAnswer> {
  const socket = await openSocket(port);
  let text = '';
  let closed = false;
  // Polls are counted, not timed: while this process is blocked, no time counts as quiet.
  let quietLooks = 0;
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    quietLooks = 0;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    closed = true;
  });
  const started = Date.now();
  const mayGoOn = () => !closed && Date.now() - started < limitMs;
  for (const [at, piece] of pieces.entries()) {
    while (inTurn && mayGoOn() && readStatuses(text).length < at) await sleep(POLL_MS);
    if (closed) break;
    socket.write(piece);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  // Before the first byte the server may still be preparing its response.
  while (mayGoOn() && (text === '' || quietLooks++ < quietMs / POLL_MS)) await sleep(POLL_MS);
  socket.destroy();
  return { text, statuses: readStatuses(text), closed };
}

const readStatuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));

/** Opens a connection without sending anything. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
