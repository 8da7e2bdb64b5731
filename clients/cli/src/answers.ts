import type { CallEvent, Shape } from './client-types.js';
import { type ErrorBody, errorOf, GatewayError, isErrorBody, ownError } from './errors.js';
import { readEvents } from './events.js';

/** What an answer of openapi-fetch holds. @throws GatewayError */
export function dataOf<Value>(answer: { data?: Value; error?: unknown; response: Response }): Value {
  if (answer.data === undefined) throw errorOf(answer.response.status, answer.error);
  return answer.data;
}

/** The JSON of an answer. @throws GatewayError where its status is a failure, or it is not JSON */
export async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw errorOf(answer.status, undefined);
  }
  if (!answer.ok) throw errorOf(answer.status, body);
  return body;
}

/** The events of a streamed call, to its result. @throws GatewayError */
export async function* callEvents(answer: Response, signal?: AbortSignal): AsyncGenerator<CallEvent, void> {
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
  if (!answer.ok || !isStream || answer.body === null) {
    // An answer that was kept under the same Idempotency-Key comes as it was: not as events.
    yield { event: 'result', data: (await bodyOf(answer)) as Shape<'ToolCallResult'> };
    return;
  }
  const events = readEvents(answer.body);
  for (;;) {
    const step = await events.next().catch((cause: unknown) => {
      throw signal?.aborted ? signal.reason : cut(cause);
    });
    if (step.done) throw cut();
    const { event, data } = step.value;
    if (event === 'error') throw errorOf(answer.status, data);
    yield { event, data } as CallEvent;
    if (event === 'result') return;
  }
}

function cut(cause?: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return ownError(
    {
      code: 'UNREACHABLE',
      message: 'The line was cut before the result.',
      type: 'server',
      hint: 'Wait for the job that `started` named, or send the call again with the same Idempotency-Key.',
    },
    { cause },
  );
}

/** The result of a job that has ended, undefined while it has not. @throws GatewayError where it failed or was cancelled */
export function resultOf(job: Shape<'Job'>): Shape<'ToolCallResult'> | undefined {
  if (job.status === 'pending' || job.status === 'running') return undefined;
  if (job.status === 'completed' && job.result !== undefined) return job.result;
  const inner: unknown = job.result?.error;
  const kept: unknown = { status: 'error', error: inner };
  if (isErrorBody(kept)) throw new GatewayError(200, kept);
  const cancelled = job.status === 'cancelled';
  throw new GatewayError(200, {
    status: 'error',
    error: {
      code: job.error_code ?? (cancelled ? 'CANCELLED' : 'HANDLER_ERROR'),
      message: job.error ?? `The job ${job.job_id} ended without a result.`,
      type: typeOfFailure(job.error_code),
      resolution_hint: cancelled
        ? 'Call the tool again if you want its result.'
        : 'Nothing was charged. Check the input, or try again later.',
      billed: false,
    },
  } as ErrorBody);
}

/** A job names only the code of its failure. */
function typeOfFailure(code: string | undefined): ErrorBody['error']['type'] {
  if (code === 'INVALID_INPUT') return 'validation';
  if (code === 'ASSET_NOT_FOUND') return 'not_found';
  return code === 'TOOL_UNAVAILABLE' ? 'server' : 'provider';
}

/** What a call answers that still runs. */
export function pendingResult(jobId: string, baseUrl: string): Shape<'ToolCallResult'> {
  return { id: null, status: 'pending', job_id: jobId, poll_url: `${baseUrl}/v1/jobs/${jobId}` };
}
