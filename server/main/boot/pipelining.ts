import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { guarded } from '../../kit/guarded';

interface Pipeline {
  /** The response to the request that came last. */
  last: ServerResponse;
  /** Requests that were parsed and not begun. */
  waiting: number;
  /** Whether the connection is paused while requests wait. */
  pauses: boolean;
}

const pipelines = new WeakMap<Socket, Pipeline>();

/**
 * Begins a request when the response before it on its connection is closed: pipelined requests are
 * processed one at a time (RFC 9112 section 9.3.2 allows parallel ones for safe methods only), and
 * other connections are served between them. While one waits, nothing more is read of the
 * connection. A request behind the end of its connection is never begun.
 */
export function inTurn({ socket }: IncomingMessage, res: ServerResponse, begin: () => void): void {
  const pipeline = pipelines.get(socket);
  if (!pipeline) {
    pipelines.set(socket, { last: res, waiting: 0, pauses: false });
    begin();
    return;
  }
  const before = pipeline.last;
  pipeline.last = res;
  if (before.closed) {
    begin();
    return;
  }
  pipeline.waiting += 1;
  if (!pipeline.pauses) pauseWhileWaiting(socket, pipeline);
  const next = guarded(() => {
    pipeline.waiting -= 1;
    if (!socket.writable) {
      socket.destroySoon();
      return;
    }
    if (pipeline.waiting === 0) socket.resume();
    begin();
  });
  before.once('close', () => setImmediate(next));
}

/** Node resumes a connection at the end of each request that it parsed. */
function pauseWhileWaiting(socket: Socket, pipeline: Pipeline): void {
  pipeline.pauses = true;
  const pause = guarded(() => {
    if (pipeline.waiting > 0) socket.pause();
  });
  socket.on('resume', pause);
  pause();
}
