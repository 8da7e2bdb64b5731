import { setTimeout as wait } from 'node:timers/promises';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { recordRefusal } from '../../../calls/refusals/record-refusal';
import type { CallResult } from '../../../calls/result/schema';
import { callInput } from '../../../calls/schema';
import { rewordForMcp } from '../../../core/errors/error-body';
import type { ErrorBody } from '../../../core/errors/schema';
import type { CallEvent, Reply } from '../../../core/trpc/context';
import { clientIp } from '../../http/request-context';
import { type CallSignals, createCallSignals } from '../cancellation';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import type { McpCall } from '../mcp-call';
import { META } from '../meta';
import { answerPaymentRequired, buildReceiptMeta } from '../payment';
import { Progress } from '../progress';
import { buildErrorResult, buildFailureResult, buildMeta, buildResult } from '../tool-result';
import { receiptWanted } from './receipt-input';
import { waitSecondsInput } from './wait-seconds';

/** How a followed call ended: its last event, that it became a job, or no event. */
type Outcome = { end: CallEvent; rateLimit: object | undefined } | 'job' | 'silent';

const webhook = callInput.shape.webhook.describe(
  'An https URL that receives the end of the job, if the call becomes one; get_webhook_secret has its secret.',
);

/** Runs a skill. */
export const callTool = defineMcpTool({
  name: 'call_tool',
  title: 'Call a tool',
  description:
    'Run one skill of a tool and pay its price; a call that fails costs nothing. A call that takes longer than wait_seconds returns status pending with a job_id: poll get_job, or pass a webhook. Failures are Errors with code, message and resolution_hint: follow the hint.',
  input: callInput.extend({ webhook, wait_seconds: waitSecondsInput, receipt: receiptWanted }),
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  needsKey: true,
  payable: true,
  onInvalid({ runtime, request, requestId, actor }, args, error) {
    const ip = clientIp(request, runtime.settings.trustedProxyHops);
    recordRefusal({ runtime, requestId, clientIp: ip, actor: actor ?? undefined }, error, args);
  },
  async run(call, { wait_seconds, receipt, ...asCalled }, serverContext) {
    const signals = createCallSignals(call, serverContext);
    try {
      const wanted = { waitSeconds: wait_seconds, wantsReceipt: receipt };
      return await answerCall(call, { ...asCalled }, wanted, serverContext, signals);
    } finally {
      signals.end();
    }
  },
});

async function answerCall(
  call: McpCall,
  input: z.infer<typeof callInput>,
  { waitSeconds, wantsReceipt }: { waitSeconds: number | undefined; wantsReceipt: boolean | undefined },
  serverContext: ServerContext,
  signals: CallSignals,
): Promise<CallToolResult> {
  const reply: Reply = { headers: {} };
  const wantsEvents = Progress.isWanted(serverContext) && input.dry_run !== true;
  const more = {
    waitSeconds,
    wantsReceipt,
    wantsEvents,
    signal: () => signals.gone.signal,
    cancelSignal: () => signals.cancelled.signal,
  };
  try {
    const answer = await invokeProcedure(call, 'calls.run', input, { reply, serverContext, more });
    if (!reply.events)
      return toCallResult(call, answer, { ...buildMeta(reply), ...buildReceiptMeta(reply, serverContext) });
    const waitMs = (waitSeconds ?? call.runtime.settings.waitSeconds) * 1000;
    return await follow(call, answer, reply, waitMs, serverContext);
  } catch (error) {
    return answerPaymentRequired(call, error) ?? buildErrorResult(call, error, buildMeta(reply));
  }
}

/** Reports a call's events as progress, then answers with its last event or as a job. */
async function follow(
  call: McpCall,
  pending: unknown,
  reply: Reply,
  waitMs: number,
  serverContext: ServerContext,
): Promise<CallToolResult> {
  const outcome = await waitForEnd(reply, waitMs, new Progress(serverContext));
  if (outcome === 'job' || outcome === 'silent') return toCallResult(call, pending, buildMeta(reply));
  const { end, rateLimit } = outcome;
  const meta = { ...buildMeta(reply), ...(rateLimit ? { [META.rateLimit]: rateLimit } : {}) };
  return end.event === 'error'
    ? buildFailureResult(call, rewordEnd(end.data), meta)
    : toCallResult(call, end.data, meta);
}

/** The last event of a failed call was written for REST too. */
function rewordEnd(data: object): object {
  const { error } = data as ErrorBody;
  return { ...data, error: rewordForMcp(error) };
}

async function waitForEnd(reply: Reply, waitMs: number, progress: Progress): Promise<Outcome> {
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
      else await progress.report(...describeEvent(value));
      next = events.next();
    }
  } finally {
    over.abort();
  }
}

/** The message of an event, and the call's share if reported. */
function describeEvent({ event, data }: CallEvent): [message: string, share?: number | undefined] {
  if (event === 'started') return [describeStart(data)];
  const { message, progress } = data as { message: string; progress?: number };
  return [message, progress];
}

/** Names the job: a client that loses this response finds the outcome with get_job. */
function describeStart(data: object): string {
  const { job_id: jobId } = data as { job_id?: string };
  return jobId === undefined ? 'The call has started.' : `The call has started as ${jobId}.`;
}

/** Adds a text to a pending call that explains what to do next. */
function toCallResult(call: McpCall, answer: unknown, meta: Record<string, unknown>): CallToolResult {
  const result = buildResult(call, answer, meta);
  const { status, job_id } = answer as Partial<CallResult>;
  if (status !== 'pending' || job_id === undefined) return result;
  const text = `The call continues as job ${job_id}. Poll get_job with {"job_id": "${job_id}"} until its status is completed, failed or cancelled; cancel_job stops it.`;
  return { ...result, content: [...result.content, { type: 'text', text }] };
}
