import type { GatewayError } from '../core/errors/gateway-error';
import { giveAgain } from '../core/idempotency/give-again';
import { type Claim, keepWithin, once } from '../core/idempotency/once';
import type { KeptAnswer } from '../core/idempotency/store';
import type { KeyContext, Reply } from '../core/trpc/context';
import { toGatewayError } from '../core/trpc/format-error';
import { newId } from '../kit/ids';
import { answerElement } from './answer-element';
import { CallFailure } from './call-failure';
import { errorOf } from './call-result';
import type { CallResult } from './result/schema';
import { isRerunnable, refuseWhileStopping } from './run-call';
import type { BatchInput, BatchResult, CallInput } from './schema';

interface Element {
  result: CallResult;
  /** Why it did not succeed. */
  error?: GatewayError;
}

/**
 * Up to ten calls at once, within the slots of the key: the rest wait for one. Each has its own
 * hold and counts to the limits by itself; one that fails fails alone. What takes too long is
 * `pending` and goes on as a job.
 * @throws GatewayError where no call could start: AUTH_FAILED, FORBIDDEN, RATE_LIMIT_EXCEEDED
 */
export async function runBatch(context: KeyContext, batch: BatchInput): Promise<BatchResult> {
  refuseWhileStopping(context.runtime);
  return await once(context, { operation: 'batch', body: batch }, async (claim) => {
    const { reply } = context;
    const elements = await Promise.all(
      batch.calls.map((call, index) => runElement(context, { ...call, billing: batch.billing }, index + 1)),
    );
    // They are of single elements.
    delete reply.headers['Idempotent-Replayed'];
    delete reply.headers.Location;
    const refusal = refusalOf(elements);
    if (refusal) throw refusal;
    const answer = { results: elements.map(({ result }) => result) };
    // Where no call has started nothing was done: it may be sent again, with more money perhaps.
    // Where one is not known to have, the batch may be sent again for that one: each of the others
    // has its own answer.
    if (claim && elements.some(hasStarted) && !elements.some(isUnsure)) {
      claim.started = true;
      // Another run has taken over where this one or the database stood still for a whole lease:
      // what that one says counts.
      await keepWithin(context.runtime.db, claim, { status: 200, body: answer });
    }
    return answer;
  });
}

async function runElement(context: KeyContext, call: CallInput, part: number): Promise<Element> {
  const { reply } = context;
  const id = newId('call');
  let answered: string = id;
  const began = performance.now();
  // An element's status is not the batch's; where the key stands is.
  const own: Reply = { headers: reply.headers };
  const elementContext: KeyContext = Object.assign({}, context, { reply: own });
  try {
    const request = {
      operation: 'batch element',
      body: call,
      part,
      callId: id,
      rerunnable: isRerunnable(context.runtime, call),
    };
    const act = (claim: Claim | null) => answerElement(elementContext, call, id, claim);
    const again = (kept: KeptAnswer) => {
      answered = kept.callId ?? id;
      return giveAgain<CallResult>(elementContext, kept);
    };
    return { result: await once(elementContext, request, act, again) };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (isUnexpected(error))
      context.runtime.log.error('an element of a batch failed', {
        requestId: context.requestId,
        error: error.cause ?? error,
      });
    const named = {
      id: hasRun(error) ? answered : null,
      tool: call.tool,
      skill: call.skill,
    };
    return {
      result: errorOf(
        error,
        { requestId: context.requestId, baseUrl: context.runtime.settings.baseUrl },
        { ...named, latencyMs: performance.now() - began },
      ),
      error,
    };
  }
}

/**
 * What refuses the whole batch, where none of it has started: the key, the account, the gateway,
 * then the quota.
 */
const REFUSALS = ['AUTH_FAILED', 'FORBIDDEN', 'UNAVAILABLE', 'INTERNAL', 'RATE_LIMIT_EXCEEDED'] as const;

/** A replayed failure lost its class; of those of calls that have run, only this code is kept. */
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

function refusalOf(elements: readonly Element[]): GatewayError | undefined {
  // Of a batch that was lost on the way an element may still be running: the answer has to wait for
  // it.
  const running = elements.find(({ error }) => error?.code === 'IDEMPOTENCY_IN_PROGRESS');
  if (running) return running.error;
  if (elements.some(hasStarted)) return undefined;
  for (const code of REFUSALS) {
    const found = elements.find(({ error }) => error?.code === code);
    if (found) return found.error;
  }
  return undefined;
}
