import type { Client } from 'openapi-fetch';
import type { components, paths } from './generated/openapi.js';
import type { Pay } from './payment.js';
import type { RetryOptions } from './retry.js';

/** A schema of the OpenAPI document by name: `Shape<'Tool'>`. */
export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface ClientOptions extends RetryOptions {
  /** The URL of the gateway, without `/v1`: `https://gateway.example.com`. */
  baseUrl: string;
  /** An API key, `tg_live_…`. Finding tools and provisioning a key need none. */
  apiKey?: string | undefined;
  /** Sent as User-Agent. */
  userAgent?: string;
  /** Aborts every request of this client, in addition to the signal of a single request. */
  signal?: AbortSignal;
}

/** A tool call. */
export interface Call {
  tool: string;
  skill: string;
  /** Must match the input schema of the skill. */
  input: Record<string, unknown>;
  /** The account to charge: `personal` (the default), `team`, or the slug of a team. */
  billing?: string | undefined;
  /** The most that the call may cost, in dollars; if its quote is higher, it is refused. */
  max_cost_usd?: number | undefined;
  /** The id of a quote from a dry run of the same call: it is charged at the prices of then. */
  quote_id?: string | undefined;
  /** Receives the end of the job, if the call becomes one. */
  webhook?: string | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Generated if omitted. Repeating a request with the same key returns the first response. */
  idempotencyKey?: string | undefined;
  /** Your own provider keys (BYOK) for this call only: `{ openai: 'sk-…' }`. */
  providerKeys?: Readonly<Record<string, string>> | undefined;
  /** Add a signed receipt, as `receipt`, to the result of a successful call. */
  receipt?: boolean | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Maximum wait in seconds; then the result is `pending` with its job. Unlimited if omitted. */
  waitSeconds?: number | undefined;
  /** Called after each poll of the job. */
  onJob?: ((job: Shape<'Job'>) => void) | undefined;
}

/**
 * One event of a streamed call; the last one is `result`. Its `id` is where `followJob` continues.
 */
export type CallEvent = { id: string } & (
  | { event: 'started'; data: StartedCall }
  | { event: 'progress'; data: { seq: number; at: string; message: string; progress?: number } }
  | { event: 'rate_limit'; data: { policy: string; limit: number; remaining: number; reset: number } }
  | { event: 'result'; data: Shape<'ToolCallResult'> }
);

/** `events_url` is where the stream is resumed; `followJob` does so. */
export interface StartedCall {
  id: string;
  tool: string;
  skill: string;
  job_id?: string;
  events_url?: string;
}

export interface FollowJobOptions {
  signal?: AbortSignal | undefined;
  /** The `id` of the last known event; without it the stream starts at the beginning. */
  lastEventId?: string | undefined;
}

/** A file to upload. Node's `fs.openAsBlob` uploads a large file without reading it into memory. */
export interface UploadFile {
  bytes: Blob | Uint8Array<ArrayBuffer>;
  filename: string;
  contentType?: string | undefined;
}

export interface GatewayClient {
  readonly baseUrl: string;
  /** Every route of the API, typed (openapi-fetch). HTTP errors are returned, not thrown. */
  readonly api: Client<paths, `${string}/${string}`>;
  /**
   * Calls a tool and waits for its result, also when the call becomes a job.
   * Aborting stops only the wait: a job keeps running and is charged unless `cancelJob` ends it.
   * @throws GatewayError when the call fails; a failed call is not charged
   */
  callTool(call: Call, options?: WaitOptions): Promise<Shape<'ToolCallResult'>>;
  /**
   * Calls a tool without a key and pays for this call, where the gateway allows it. `api_key` of
   * the result, or of the error, holds what the call did not use.
   * @throws GatewayError when `pay` pays none of the challenges, or the call fails
   */
  payForTool(call: Call, pay: Pay, options?: WaitOptions): Promise<Shape<'ToolCallResult'>>;
  /** Checks and prices a call without running or charging it. @throws GatewayError */
  dryRun(call: Call, options?: CallOptions): Promise<Shape<'DryRunResult'>>;
  /**
   * Streams the events of a call, up to its result. Reconnects if the connection breaks, without
   * losing or repeating an event.
   * @throws GatewayError when the call fails, or the gateway stays away for about a minute
   */
  streamTool(call: Call, options?: CallOptions): AsyncGenerator<CallEvent, void>;
  /**
   * Streams the events of a job, up to its result, as `streamTool` does.
   * @throws GatewayError when it fails or is cancelled
   */
  followJob(jobId: string, options?: FollowJobOptions): AsyncGenerator<CallEvent, void>;
  /** Waits for a job to finish. @throws GatewayError when it fails or is cancelled */
  waitForJob(jobId: string, options?: WaitOptions): Promise<Shape<'ToolCallResult'>>;
  /** Cancels a job; it is not charged. @throws GatewayError JOB_NOT_RUNNING */
  cancelJob(jobId: string): Promise<Shape<'JobCancelled'>>;
  /** Uploads a file; pass its asset_id to any tool that takes a file. @throws GatewayError */
  upload(file: UploadFile, options?: Omit<CallOptions, 'providerKeys'>): Promise<Shape<'UploadResult'>>;
  /**
   * Creates a key without signing up. Free tools work at once; paid tools after a person claims it.
   * @throws GatewayError
   */
  provision(): Promise<Shape<'ProvisionResponse'>>;
}
