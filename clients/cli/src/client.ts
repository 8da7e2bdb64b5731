import { randomUUID } from 'node:crypto';
import createFetchClient from 'openapi-fetch';
import { parseBaseUrl } from './base-url.js';
import type {
  Call,
  CallEvent,
  CallOptions,
  ClientOptions,
  FollowJobOptions,
  GatewayClient,
  Shape,
  UploadFile,
  WaitOptions,
} from './client-types.js';
import { followStream, type StreamPosition } from './follow-stream.js';
import type { paths } from './generated/openapi.js';
import { buildCredential, type Pay, readChallenges } from './payment.js';
import { createPendingResult, readBody, toCallResult, unwrapData } from './responses.js';
import { pause, sendWithRetry } from './retry.js';

export type {
  Call,
  CallEvent,
  CallOptions,
  ClientOptions,
  FollowJobOptions,
  GatewayClient,
  Shape,
  StartedCall,
  UploadFile,
  WaitOptions,
} from './client-types.js';
export { type ErrorBody, type ErrorType, GatewayError } from './errors.js';
export type { components, operations, paths } from './generated/openapi.js';
export { type Pay, type Payment, type PaymentChallenge, paySandbox } from './payment.js';
export { hashOutput, InvalidReceipt, type ReceiptChecks, verifyReceipt } from './receipts.js';
export type { Deprecation } from './retry.js';

/** Minimum interval between polls when the gateway responds before the job has finished. */
const MIN_POLL_MS = 500;
const TIME_IS_UP = Symbol('time is up');

/**
 * Creates a client for one gateway.
 * @example
 * const apiKey = process.env.TOOL_GATEWAY_KEY;
 * const gateway = createClient({ baseUrl: 'http://localhost:3000', apiKey });
 * const input = { expression: '6 * 7' };
 * const { output } = await gateway.callTool({ tool: 'math', skill: 'evaluate', input });
 * @throws TypeError when the base URL is not an http(s) URL
 */
export function createClient(options: ClientOptions): GatewayClient {
  return new HttpClient(options);
}

class HttpClient implements GatewayClient {
  readonly baseUrl: string;
  readonly api: GatewayClient['api'];
  readonly #options: ClientOptions;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.baseUrl = parseBaseUrl(options.baseUrl);
    this.#headers = {
      'User-Agent': options.userAgent ?? 'tool-gateway-client',
      ...(options.apiKey !== undefined && { Authorization: `Bearer ${options.apiKey}` }),
    };
    this.api = createFetchClient<paths, `${string}/${string}`>({
      baseUrl: this.baseUrl,
      headers: this.#headers,
      fetch: (request) => sendRequest(request, options),
    });
  }

  async callTool(call: Call, options: WaitOptions = {}): Promise<Shape<'ToolCallResult'>> {
    const { waitSeconds } = options;
    const started = Date.now();
    const answer = (await this.#post(
      call,
      withIdempotencyKey(options),
      waitSeconds,
    )) as Shape<'ToolCallResult'>;
    if (answer.status !== 'pending' || answer.job_id === undefined) return answer;
    const left = waitSeconds === undefined ? undefined : waitSeconds - (Date.now() - started) / 1000;
    if (left !== undefined && left <= 0) return answer;
    const result = await this.waitForJob(answer.job_id, { ...options, waitSeconds: left });
    return result.status === 'pending' ? answer : result;
  }

  async payForTool(call: Call, pay: Pay, options: WaitOptions = {}): Promise<Shape<'ToolCallResult'>> {
    const signal = combineSignals(options.signal, this.#options.signal) ?? null;
    const body = JSON.stringify(call);
    const send = async (authorization: Record<string, string>) => {
      const { Authorization: _, ...mine } = this.#headers;
      // Its Idempotency-Key makes a request repeatable: the challenge identifies the payment.
      const own = buildCallHeaders(withIdempotencyKey(options), options.waitSeconds);
      const headers = { ...mine, ...own, 'Content-Type': 'application/json', ...authorization };
      const make = () => ({ method: 'POST', signal, headers, body });
      return await sendWithRetry(`${this.baseUrl}/v1/tools/call`, make, this.#options);
    };
    const offer = await send({});
    const payment = await pay(readChallenges(offer));
    const answer = payment ? await send({ Authorization: buildCredential(payment) }) : offer;
    const result = (await readBody(answer)) as Shape<'ToolCallResult'>;
    const { job_id: jobId, api_key: apiKey, claim_url: claimUrl } = result;
    if (result.status !== 'pending' || !jobId || !apiKey || options.waitSeconds !== undefined) return result;
    const ended = await new HttpClient({ ...this.#options, apiKey }).waitForJob(jobId, options);
    return { ...ended, api_key: apiKey, ...(claimUrl !== undefined && { claim_url: claimUrl }) };
  }

  async dryRun(call: Call, options: CallOptions = {}): Promise<Shape<'DryRunResult'>> {
    return (await this.#post({ ...call, dry_run: true }, options)) as Shape<'DryRunResult'>;
  }

  streamTool(call: Call, options: CallOptions = {}): AsyncGenerator<CallEvent, void> {
    const headers = { ...buildCallHeaders(withIdempotencyKey(options)), 'Content-Type': 'application/json' };
    const signal = combineSignals(options.signal, this.#options.signal);
    const init = { method: 'POST', headers, body: JSON.stringify(call) };
    const start = () => this.#openStream('/v1/tools/call', init, signal);
    return followStream({ start, resume: this.#resumeStream(signal) }, undefined, {
      ...this.#options,
      signal,
    });
  }

  followJob(
    jobId: string,
    { signal: own, lastEventId }: FollowJobOptions = {},
  ): AsyncGenerator<CallEvent, void> {
    const signal = combineSignals(own, this.#options.signal);
    const position = { jobId, lastEventId };
    const resume = this.#resumeStream(signal);
    return followStream({ start: () => resume(position), resume }, position, { ...this.#options, signal });
  }

  async waitForJob(jobId: string, options: WaitOptions = {}): Promise<Shape<'ToolCallResult'>> {
    const { waitSeconds, signal, onJob, receipt } = options;
    const headers = receipt ? { Prefer: 'receipt' } : {};
    const until = waitSeconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + waitSeconds * 1000;
    for (;;) {
      const askedAt = Date.now();
      // Long polling: the gateway waits up to 30 s for the job to finish.
      const job = await withDeadline(until, signal, async (bounded) =>
        unwrapData(
          await this.api.GET('/v1/jobs/{jobId}', {
            params: { path: { jobId } },
            headers,
            signal: bounded ?? null,
          }),
        ),
      );
      if (job === TIME_IS_UP) return createPendingResult(jobId, this.baseUrl);
      onJob?.(job);
      const ended = toCallResult(job);
      if (ended) return ended;
      if (Date.now() - askedAt < MIN_POLL_MS)
        await pause(MIN_POLL_MS, combineSignals(signal, this.#options.signal));
    }
  }

  async cancelJob(jobId: string): Promise<Shape<'JobCancelled'>> {
    return unwrapData(await this.api.POST('/v1/jobs/{jobId}/cancel', { params: { path: { jobId } } }));
  }

  async upload(
    file: UploadFile,
    { signal: own, idempotencyKey = randomUUID() }: CallOptions = {},
  ): Promise<Shape<'UploadResult'>> {
    const signal = combineSignals(own, this.#options.signal);
    const headers = { ...this.#headers, 'Idempotency-Key': idempotencyKey };
    const make = () => ({ method: 'POST', signal: signal ?? null, headers, body: buildForm(file) });
    const answer = await sendWithRetry(`${this.baseUrl}/v1/assets/upload`, make, this.#options);
    return (await readBody(answer)) as Shape<'UploadResult'>;
  }

  async provision(): Promise<Shape<'ProvisionResponse'>> {
    return unwrapData(await this.api.POST('/v1/auth/provision', {}));
  }

  #resumeStream(signal: AbortSignal | undefined) {
    return ({ jobId, lastEventId }: StreamPosition) => {
      const headers: Record<string, string> = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
      return this.#openStream(`/v1/jobs/${encodeURIComponent(jobId)}/events`, { headers }, signal);
    };
  }

  #openStream(
    path: string,
    init: { method?: string; headers: Record<string, string>; body?: string },
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const headers = { ...this.#headers, ...init.headers, Accept: 'text/event-stream' };
    const make = () => ({ ...init, signal: signal ?? null, headers });
    return sendWithRetry(`${this.baseUrl}${path}`, make, this.#options);
  }

  async #post(
    { billing, max_cost_usd, quote_id, webhook, ...call }: Call & { dry_run?: boolean },
    options: CallOptions,
    prefer?: number,
  ) {
    const headers = buildCallHeaders(options, prefer);
    const body = {
      ...call,
      ...(billing !== undefined && { billing }),
      ...(max_cost_usd !== undefined && { max_cost_usd }),
      ...(quote_id !== undefined && { quote_id }),
      ...(webhook !== undefined && { webhook }),
    };
    const signal = options.signal ?? null;
    return unwrapData(await this.api.POST('/v1/tools/call', { body, headers, signal }));
  }
}

/** Sends a request of openapi-fetch; the body is buffered, so that a retry can send it again. */
async function sendRequest(request: Request, options: ClientOptions): Promise<Response> {
  const { method, url, headers } = request;
  const signal = combineSignals(request.signal, options.signal);
  const body = request.body === null ? null : await request.text();
  return await sendWithRetry(url, () => ({ method, signal: signal ?? null, headers, body }), options);
}
function combineSignals(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

/** Runs `work` until a deadline; an abort by the caller is rethrown. */
async function withDeadline<Value>(
  until: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<Value>,
): Promise<Value | typeof TIME_IS_UP> {
  if (until === Number.POSITIVE_INFINITY) return await work(signal);
  const left = until - Date.now();
  if (left <= 0) return TIME_IS_UP;
  const timer = AbortSignal.timeout(left);
  try {
    return await work(signal ? AbortSignal.any([signal, timer]) : timer);
  } catch (error) {
    if (timer.aborted && !signal?.aborted) return TIME_IS_UP;
    throw error;
  }
}

function withIdempotencyKey(options: CallOptions): CallOptions {
  return { ...options, idempotencyKey: options.idempotencyKey ?? randomUUID() };
}

function buildCallHeaders(
  { idempotencyKey, providerKeys = {}, receipt = false }: CallOptions,
  prefer?: number,
): Record<string, string> {
  const headers: Record<string, string> = {};
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  // The gateway accepts integer seconds and waits at most 30 s.
  const preferences = [
    ...(prefer === undefined ? [] : [`wait=${Math.floor(prefer)}`]),
    ...(receipt ? ['receipt'] : []),
  ];
  if (preferences.length > 0) headers.Prefer = preferences.join(', ');
  for (const [provider, key] of Object.entries(providerKeys)) headers[`X-Provider-Key-${provider}`] = key;
  return headers;
}

function buildForm({ bytes, filename, contentType }: UploadFile): FormData {
  const form = new FormData();
  // The fields precede the file: the gateway parses the form as a stream.
  form.set('filename', filename);
  if (contentType !== undefined) form.set('content_type', contentType);
  form.set('file', bytes instanceof Blob ? bytes : new Blob([bytes]), filename);
  return form;
}
