import { createHash } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { RequestId } from './json-rpc';
import type { McpCall, McpRequest } from './mcp-call';

/** What a request is known by when a later one cancels it: its number, of this session, of this key. */
type Topic = `cancel:${string}`;

function topicOf({ actor, session }: Pick<McpRequest, 'actor' | 'session'>, id: RequestId): Topic | null {
  if (!actor || session === null || id === null) return null;
  const name = JSON.stringify([actor.keyId, session, id]);
  return `cancel:mcp-${createHash('sha256').update(name).digest('base64url')}`;
}

/** The signals of one call, and how to let go of what they listen to. */
export interface CallSignals {
  /** The client wants the call ended. */
  readonly cancelled: AbortController;
  /** Nobody waits for the answer any more; the call may go on. */
  readonly gone: AbortController;
  end(): void;
}

/**
 * What ends a call before its time. From 2026-07-28 on a closed response is the cancel (Cancellation, Streamable HTTP);
 * before, it is `notifications/cancelled`, which comes as a request of its own, perhaps to another process, and a lost
 * connection only makes the call a job.
 */
export function callSignals(call: McpCall, asked: ServerContext): CallSignals {
  const cancelled = new AbortController();
  const gone = new AbortController();
  const isModern = call.era === 'modern';
  const left = () => {
    // A process that stops closes its connections, which cancels nothing.
    if (isModern && !call.runtime.running.stopping) cancelled.abort();
    gone.abort();
  };
  // Where Next answers, a client that leaves closes the stream of the answer, not always the request.
  const signals = [call.request.signal, asked.mcpReq.signal];
  for (const signal of signals)
    if (signal.aborted) left();
    else signal.addEventListener('abort', left, { once: true });
  const topic = isModern ? null : topicOf(call, asked.mcpReq.id);
  const off = topic ? listen(call, topic, cancelled) : () => undefined;
  return {
    cancelled,
    gone,
    end() {
      off();
      for (const signal of signals) signal.removeEventListener('abort', left);
      gone.abort();
    },
  };
}

/** A notice that may have been missed is none: a cancel that is lost so leaves the call running, as the protocol allows. */
function listen({ runtime }: McpCall, topic: Topic, cancelled: AbortController): () => void {
  return runtime.notices.on(topic, (missed) => {
    if (!missed) cancelled.abort();
  });
}

/** Tells whichever process runs the request that its client has cancelled it. What is unknown or over is nobody's. */
export async function tellCancelled(
  call: Pick<McpRequest, 'actor' | 'session' | 'runtime'>,
  requestId: unknown,
): Promise<void> {
  if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
  const topic = topicOf(call, requestId);
  if (topic) await call.runtime.sql`select pg_notify('gateway', ${topic})`;
}
