import { createHash } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import type { RequestId } from './json-rpc';
import type { McpCall, McpRequest } from './mcp-call';

/** Identifies a request that a later one may cancel: by API key, session and request id. */
type Topic = `cancel:${string}`;

function buildTopic({ actor, session }: Pick<McpRequest, 'actor' | 'session'>, id: RequestId): Topic | null {
  if (!actor || session === null || id === null) return null;
  const name = JSON.stringify([actor.keyId, session, id]);
  return `cancel:mcp-${createHash('sha256').update(name).digest('base64url')}`;
}

/** Abort signals of one call; `end` removes their listeners. */
export interface CallSignals {
  /** Aborted when the client cancels the call. */
  readonly cancelled: AbortController;
  /** Aborted when the client no longer waits for the answer; the call may continue. */
  readonly gone: AbortController;
  end(): void;
}

/**
 * Creates the signals that stop a call early. From 2026-07-28 on, a closed response stream cancels
 * it (Cancellation, Streamable HTTP). Before, `notifications/cancelled` does, which is a request of
 * its own and may reach another process; a lost connection only turns the call into a job.
 */
export function createCallSignals(call: McpCall, asked: ServerContext): CallSignals {
  const cancelled = new AbortController();
  const gone = new AbortController();
  const isModern = call.era === 'modern';
  const left = () => {
    // A stopping process closes its connections, which must not cancel calls.
    if (isModern && !call.runtime.running.stopping) cancelled.abort();
    gone.abort();
  };
  // Behind Next, a disconnect closes the response stream, but not always the request.
  const signals = [call.request.signal, asked.mcpReq.signal];
  for (const signal of signals)
    if (signal.aborted) left();
    else signal.addEventListener('abort', left, { once: true });
  const topic = isModern ? null : buildTopic(call, asked.mcpReq.id);
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

/** A gap in notices is ignored: a lost cancel leaves the call running, as the protocol allows. */
function listen({ runtime }: McpCall, topic: Topic, cancelled: AbortController): () => void {
  return runtime.notices.on(topic, (missed) => {
    if (!missed) cancelled.abort();
  });
}

/**
 * Notifies the process that runs the request that its client has cancelled it. Unknown or finished
 * requests are ignored.
 */
export async function notifyCancelled(
  call: Pick<McpRequest, 'actor' | 'session' | 'runtime'>,
  requestId: unknown,
): Promise<void> {
  if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
  const topic = buildTopic(call, requestId);
  if (topic) await call.runtime.sql`select pg_notify('gateway', ${topic})`;
}
