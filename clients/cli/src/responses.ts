import type { CallEvent, Shape } from './client-types.js';
import { createError, type ErrorBody, GatewayError, isErrorBody, toGatewayError } from './errors.js';
import { readEvents } from './events.js';

/** Unwraps the data of an openapi-fetch response. @throws GatewayError when the request failed */
export function unwrapData<Value>(answer: { data?: Value; error?: unknown; response: Response }): Value {
  if (answer.data === undefined) throw toGatewayError(answer.response.status, answer.error);
  return answer.data;
}

/** Parses a response body. @throws GatewayError when the request failed or the body is not JSON */
export async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw toGatewayError(answer.status, undefined);
  }
  if (!answer.ok) throw toGatewayError(answer.status, body);
  return body;
}

/** Yields the events of a streamed call, up to its result. @throws GatewayError */
export async function* readCallEvents(
  answer: Response,
  signal?: AbortSignal,
): AsyncGenerator<CallEvent, void> {
  const isStream = answer.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
  if (!answer.ok || !isStream || answer.body === null) {
    // A replay of a stored response (same Idempotency-Key) is plain JSON, not an event stream.
    yield { id: 'end', event: 'result', data: (await readBody(answer)) as Shape<'ToolCallResult'> };
    return;
  }
  const events = readEvents(answer.body);
  for (;;) {
    const step = await events.next().catch((cause: unknown) => {
      throw signal?.aborted ? signal.reason : createConnectionLostError(cause);
    });
    if (step.done) throw createConnectionLostError();
    const { id, event, data } = step.value;
    if (event === 'error') throw toGatewayError(answer.status, data);
    yield { id, event, data } as CallEvent;
    if (event === 'result') return;
  }
}

function createConnectionLostError(cause?: unknown): GatewayError {
  if (cause instanceof GatewayError) return cause;
  return createError(
    {
      code: 'UNREACHABLE',
      message: 'The connection was lost before the result arrived.',
      type: 'server',
      hint: 'Wait for the job named in the `started` event, or resend the call with the same Idempotency-Key.',
    },
    { cause },
  );
}

/**
 * Returns the result of a completed job, undefined while the job is pending or running.
 * @throws GatewayError when the job failed or was cancelled
 */
export function toCallResult(job: Shape<'Job'>): Shape<'ToolCallResult'> | undefined {
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
      message: job.error ?? `The job ${job.job_id} finished without a result.`,
      type: getFailureType(job.error_code),
      resolution_hint: cancelled
        ? 'Call the tool again if you want its result.'
        : 'Nothing was charged. Check the input, or try again later.',
      billed: false,
    },
  } as ErrorBody);
}

/** A job reports only the code of its failure, so the type is derived from it. */
function getFailureType(code: string | undefined): ErrorBody['error']['type'] {
  if (code === 'INVALID_INPUT') return 'validation';
  if (code === 'ASSET_NOT_FOUND') return 'not_found';
  return code === 'TOOL_UNAVAILABLE' ? 'server' : 'provider';
}

/** Builds the result that represents a call still running as a job. */
export function createPendingResult(jobId: string, baseUrl: string): Shape<'ToolCallResult'> {
  return { id: null, status: 'pending', job_id: jobId, poll_url: `${baseUrl}/v1/jobs/${jobId}` };
}
