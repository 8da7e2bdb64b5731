import { setTimeout as wait } from 'node:timers/promises';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type CallResult, callResultSchema } from '../../../calls/result/schema';
import { callInput, dryRunResultSchema } from '../../../calls/schema';
import type { CallEvent, Reply } from '../../../core/trpc/context';
import { askProcedure } from '../ask-procedure';
import { type CallSignals, callSignals } from '../cancellation';
import { defineMcpTool } from '../define-mcp-tool';
import type { McpCall } from '../mcp-call';
import { META } from '../meta';
import { Progress } from '../progress';
import { failureOf, metaOf, refusalOf, resultOf } from '../tool-result';
import { waitSecondsInput } from './wait-seconds';

/** How a followed call ended: its last event, that it became a job, or no event. */
type Outcome = { end: CallEvent; rateLimit: object | undefined } | 'job' | 'silent';

/** Runs a skill. */
export const callTool = defineMcpTool({
  name: 'call_tool',
  title: 'Call a tool',
  description:
    'Run one skill of a tool and pay its price; a call that fails costs nothing. input must match the schema from get_tool. With dry_run the call is only validated and priced, for free. A call that takes longer than wait_seconds returns status pending with a job_id: poll get_job for its result. Failures are Errors with code, message and resolution_hint: follow the hint.',
  input: callInput.extend({ wait_seconds: waitSecondsInput }),
  output: z.looseObject({
    ...callResultSchema.partial().shape,
    ...dryRunResultSchema.partial().shape,
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  needsKey: true,
  async run(call, { wait_seconds, ...asCalled }, asked) {
    const signals = callSignals(call, asked);
    try {
      return await answerCall(call, { ...asCalled }, wait_seconds, asked, signals);
    } finally {
      signals.end();
    }
  },
});

async function answerCall(
  call: McpCall,
  input: z.infer<typeof callInput>,
  waitSeconds: number | undefined,
  asked: ServerContext,
  signals: CallSignals,
): Promise<CallToolResult> {
  const reply: Reply = { headers: {} };
  const wantsEvents = Progress.isWanted(asked) && input.dry_run !== true;
  const more = {
    waitSeconds,
    wantsEvents,
    signal: () => signals.gone.signal,
    cancelSignal: () => signals.cancelled.signal,
  };
  try {
    const answer = await askProcedure(call, 'calls.run', input, { reply, asked, more });
    if (!reply.events) return answered(call, answer, metaOf(reply));
    const waitMs = (waitSeconds ?? call.runtime.settings.waitSeconds) * 1000;
    return await follow(call, answer, reply, waitMs, asked);
  } catch (error) {
    return refusalOf(call, error, metaOf(reply));
  }
}

/** Reports a call's events as progress, then answers with its last event or as a job. */
async function follow(
  call: McpCall,
  pending: unknown,
  reply: Reply,
  waitMs: number,
  asked: ServerContext,
): Promise<CallToolResult> {
  const outcome = await untilEnd(reply, waitMs, new Progress(asked));
  if (outcome === 'job' || outcome === 'silent') return answered(call, pending, metaOf(reply));
  const { end, rateLimit } = outcome;
  const meta = { ...metaOf(reply), ...(rateLimit ? { [META.rateLimit]: rateLimit } : {}) };
  return end.event === 'error' ? failureOf(call, end.data, meta) : answered(call, end.data, meta);
}

async function untilEnd(reply: Reply, waitMs: number, progress: Progress): Promise<Outcome> {
  const events = reply.events?.[Symbol.asyncIterator]();
  if (!events) return 'silent';
  const over = new AbortController();
  const late = wait(waitMs, 'late' as const, { signal: over.signal }).catch(() => 'late' as const);
  let waits = reply.becomeJob !== undefined;
  let rateLimit: object | undefined;
  try {
    let next = events.next();
    for (;;) {
      const step = waits ? await Promise.race([next, late]) : await next;
      if (step === 'late') {
        if (await reply.becomeJob?.()) return 'job';
        // The call ended first: its last events are about to arrive.
        waits = false;
        continue;
      }
      if (step.done) return 'silent';
      const { value } = step;
      if (value.event === 'result' || value.event === 'error') return { end: value, rateLimit };
      if (value.event === 'rate_limit') rateLimit = value.data;
      else await progress.tell(...wordsOf(value));
      next = events.next();
    }
  } finally {
    over.abort();
  }
}

/** The message of an event, and the call's share if reported. */
function wordsOf({ event, data }: CallEvent): [message: string, share?: number] {
  if (event === 'started') return ['The call has started.'];
  const { message, progress } = data as { message: string; progress?: number };
  return [message, progress];
}

/** Adds a text to a pending call that explains what to do next. */
function answered(call: McpCall, answer: unknown, meta: Record<string, unknown>): CallToolResult {
  const result = resultOf(call, answer, meta);
  const { status, job_id } = answer as Partial<CallResult>;
  if (status !== 'pending' || job_id === undefined) return result;
  const text = `The call continues as job ${job_id}. Poll get_job with {"job_id": "${job_id}"} until its status is completed, failed or cancelled; cancel_job stops it.`;
  return { ...result, content: [...result.content, { type: 'text', text }] };
}
