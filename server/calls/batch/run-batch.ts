import type { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { replayResponse } from '../../core/idempotency/replay-response';
import {
  keepOnError,
  type RequestLease,
  saveResponseOrThrow,
  withRecord,
} from '../../core/idempotency/run-once';
import type { StoredResponse } from '../../core/idempotency/store';
import type { KeyContext, Reply } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import type { Microusd } from '../../kit/money';
import { parseLimit } from '../prepare/bind-price';
import { prepareCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import { recordRefusal } from '../refusals/record-refusal';
import type { CallResult } from '../result/schema';
import { CommitBarrier } from '../run-first/commit-barrier';
import type { BatchInput, BatchResult, CallInput } from '../schema';
import { CallFailure } from '../settlement/call-failure';
import { toErrorResult } from '../settlement/describe-result';
import { BatchLimit } from './batch-limit';
import { executeElement } from './execute-element';

interface Element {
  result: CallResult;
  /** Set if the call did not succeed. */
  error?: GatewayError;
}

/**
 * Runs up to ten calls in parallel, within the concurrency slots of the key; the others wait. Each
 * call has its own hold, counts against the limits and fails independently. A call that takes too
 * long becomes `pending` and continues as a job.
 * @throws GatewayError if no call could start: AUTH_FAILED, FORBIDDEN, RATE_LIMIT_EXCEEDED,
 *   COST_LIMIT_EXCEEDED
 */
export async function runBatch(context: KeyContext, batch: BatchInput): Promise<BatchResult> {
  context.runtime.running.refuseWhileStopping();
  return await withRecord<BatchResult>(context, { operation: 'batch', body: batch }, async (lease) => {
    const { reply } = context;
    const { calls, billing, max_cost_usd: maxUsd } = batch;
    const limit = maxUsd === undefined ? null : new BatchLimit(parseLimit(maxUsd), calls.length);
    const siblings = new CommitBarrier(calls.length);
    const elements = await Promise.all(
      calls.map((call, index) => runElement(context, { billing, ...call }, index + 1, { limit, siblings })),
    );
    // These headers belong to single elements.
    delete reply.headers['Idempotent-Replayed'];
    delete reply.headers.Location;
    const refusal = limit?.refusal ?? findBatchRefusal(elements);
    if (refusal) throw refusal;
    const response = { results: elements.map(({ result }) => result) };
    // Store only if a call started and none is uncertain. Otherwise the batch may be sent again:
    // each finished element has its own stored response.
    if (!elements.some(hasStarted) || elements.some(isUnsure)) return { response, record: 'release' };
    return await keepOnError(async () => {
      // Throws if another run took over during a stall: then its response counts.
      await saveResponseOrThrow(context.runtime.db, lease, { status: 200, body: response });
      return { response, record: 'keep' };
    });
  });
}

async function runElement(
  context: KeyContext,
  call: CallInput,
  part: number,
  { limit, siblings }: { limit: BatchLimit | null; siblings: CommitBarrier },
): Promise<Element> {
  const { reply } = context;
  const id = newId('call');
  let answeredCallId: string = id;
  const began = performance.now();
  // The status of an element is not that of the batch; rate headers are shared.
  const own: Reply = { headers: reply.headers };
  const elementContext: KeyContext = Object.assign({}, context, { reply: own });
  let mustReport = limit !== null;
  try {
    const request = {
      operation: 'batch element',
      body: call,
      part,
      callId: id,
      rerunnable: context.runtime.tools.isIdempotent(call.tool, call.skill),
    };
    const run = async (lease: RequestLease | null) => {
      const prepared = await prepareCall(elementContext, call, id);
      if (limit) {
        mustReport = false;
        await limit.reserve(sumCost(prepared.quote));
      }
      return await keepOnError(() => executeElement(elementContext, prepared, lease, { began, siblings }));
    };
    const replay = (stored: StoredResponse) => {
      answeredCallId = stored.callId ?? id;
      return replayResponse<CallResult>(elementContext, stored);
    };
    const result = await withRecord(elementContext, request, run, replay);
    if (limit && mustReport) limit.report(await findStoredCost(elementContext, call, result));
    return { result };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    // What still runs elsewhere may cost anything.
    if (error.code === 'IDEMPOTENCY_IN_PROGRESS') limit?.refuse(error);
    if (mustReport) limit?.report(0n);
    recordRefusal(context, error, call);
    if (isUnexpected(error))
      context.runtime.log.error('batch.element_failed', {
        requestId: context.requestId,
        error: error.cause ?? error,
      });
    const named = {
      id: hasRun(error) ? answeredCallId : null,
      tool: call.tool,
      skill: call.skill,
    };
    return {
      result: toErrorResult(
        error,
        { requestId: context.requestId, baseUrl: context.runtime.settings.baseUrl },
        { ...named, latencyMs: performance.now() - began },
      ),
      error,
    };
  }
}

/** The cost of a call with a stored response; its current maximum while it is a job. */
async function findStoredCost(
  context: KeyContext,
  call: CallInput,
  { status, usage }: CallResult,
): Promise<Microusd> {
  if (status !== 'pending') return parseLimit(usage?.cost ?? 0);
  return await prepareCall(context, call, newId('call')).then(
    ({ quote }) => sumCost(quote),
    () => 0n,
  );
}

/** Codes that refuse the whole batch if no call started, by precedence. */
const REFUSALS = ['AUTH_FAILED', 'FORBIDDEN', 'UNAVAILABLE', 'INTERNAL', 'RATE_LIMIT_EXCEEDED'] as const;

/**
 * A replayed failure is no CallFailure any more; among failures of calls that ran, only
 * HANDLER_ERROR is stored.
 */
function hasRun(error: GatewayError): boolean {
  return error instanceof CallFailure || error.code === 'HANDLER_ERROR';
}

function isUnexpected({ status, code }: GatewayError): boolean {
  return status >= 500 && code !== 'HANDLER_ERROR' && code !== 'TOOL_UNAVAILABLE';
}

function hasStarted({ error }: Element): boolean {
  return error === undefined || hasRun(error);
}

function isUnsure({ error }: Element): boolean {
  return error !== undefined && isUnexpected(error);
}

function findBatchRefusal(elements: readonly Element[]): GatewayError | undefined {
  // If the response of an earlier batch was lost, an element may still run: wait for it.
  const running = elements.find(({ error }) => error?.code === 'IDEMPOTENCY_IN_PROGRESS');
  if (running) return running.error;
  if (elements.some(hasStarted)) return undefined;
  for (const code of REFUSALS) {
    const found = elements.find(({ error }) => error?.code === code);
    if (found) return found.error;
  }
  return undefined;
}
