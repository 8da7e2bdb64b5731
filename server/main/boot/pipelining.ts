import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { guarded } from '../../kit/guarded';

interface Pipeline {
  /** The response to the latest request. */
  last: ServerResponse;
  /** Requests that are parsed but not started. */
  waiting: number;
  /** Whether the connection pauses while requests wait. */
  pauses: boolean;
  /** Whether the connection is destroyed once its last response is sent. */
  ends: boolean;
}

const pipelines = new WeakMap<Socket, Pipeline>();

/**
 * Starts a request when the previous response on its connection is closed: pipelined requests run
 * one at a time (RFC 9112 section 9.3.2 allows concurrency only for safe methods). While one waits,
 * nothing more is read from the connection. Requests are not started after the connection ended.
 */
export function startInOrder({ socket }: IncomingMessage, res: ServerResponse, begin: () => void): void {
  const pipeline = pipelines.get(socket);
  if (!pipeline) {
    pipelines.set(socket, { last: res, waiting: 0, pauses: false, ends: false });
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
      // Not for each waiting request: each call adds a listener.
      if (!pipeline.ends) socket.destroySoon();
      pipeline.ends = true;
      return;
    }
    if (pipeline.waiting === 0) socket.resume();
    begin();
  });
  before.once('close', () => setImmediate(next));
}

/** Node resumes a connection after each parsed request, so pause it again. */
function pauseWhileWaiting(socket: Socket, pipeline: Pipeline): void {
  pipeline.pauses = true;
  const pause = guarded(() => {
    if (pipeline.waiting > 0) socket.pause();
  });
  socket.on('resume', pause);
  pause();
}
