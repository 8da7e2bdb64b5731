import type { Client } from 'openapi-fetch';
import type { components, paths } from './generated/openapi.js';
import type { RetryOptions } from './retry.js';

/** The shapes of the document by their names: `Shape<'Tool'>`. */
export type Shape<Name extends keyof components['schemas']> = components['schemas'][Name];

export interface ClientOptions extends RetryOptions {
  /** The address of the gateway, without `/v1`: `https://gateway.example.com`. */
  baseUrl: string;
  /** An API key, `tg_live_…`. Finding tools and provisioning a key need none. */
  apiKey?: string | undefined;
  /** Sent as User-Agent. */
  userAgent?: string;
  /** Ends every request of this client, beside the signal of a single one. */
  signal?: AbortSignal;
}

/** One call of a tool. */
export interface Call {
  tool: string;
  skill: string;
  /** Fits the skill's input schema. */
  input: Record<string, unknown>;
  /** The account charged: `personal` (the default), `team`, or the slug of a team. */
  billing?: string | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Your own name for this request; made for you where you give none. The same one again gives the first answer. */
  idempotencyKey?: string | undefined;
  /** Keys of providers for this call alone, by provider: `{ openai: 'sk-…' }`. */
  providerKeys?: Readonly<Record<string, string>> | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Seconds to wait in all; then the result is `pending` and names its job. Without it the call is waited for to its end. */
  waitSeconds?: number | undefined;
  /** Told each time the call's job was looked at. */
  onJob?: ((job: Shape<'Job'>) => void) | undefined;
}

/** One event of a streamed call; the last one is `result`. */
export type CallEvent =
  | { event: 'started'; data: { id: string; tool: string; skill: string; job_id?: string } }
  | { event: 'progress'; data: { seq: number; at: string; message: string; progress?: number } }
  | { event: 'rate_limit'; data: { policy: string; limit: number; remaining: number; reset: number } }
  | { event: 'result'; data: Shape<'ToolCallResult'> };

/** A file to upload: bytes, or a Blob (of Node's `fs.openAsBlob`, so that a large file is never whole in memory). */
export interface UploadFile {
  bytes: Blob | Uint8Array<ArrayBuffer>;
  filename: string;
  contentType?: string | undefined;
}

export interface GatewayClient {
  readonly baseUrl: string;
  /** Every route of the document, typed, by its path (openapi-fetch). Failures are returned, not thrown. */
  readonly api: Client<paths, `${string}/${string}`>;
  /**
   * Calls a tool and waits for its result, also where it becomes a job. A call that fails throws and costs nothing.
   * Aborting stops the waiting; a call that has become a job goes on and is charged (`cancelJob` ends it).
   * @throws GatewayError
   */
  callTool(call: Call, options?: WaitOptions): Promise<Shape<'ToolCallResult'>>;
  /** Checks and prices a call without running or charging it. @throws GatewayError */
  dryRun(call: Call, options?: CallOptions): Promise<Shape<'DryRunResult'>>;
  /** The events of a call as they come, to its result. @throws GatewayError also where the tool fails midway */
  streamTool(call: Call, options?: CallOptions): AsyncGenerator<CallEvent, void>;
  /** Waits for a job's end; the same options as `callTool`. @throws GatewayError where it fails or is cancelled */
  waitForJob(jobId: string, options?: WaitOptions): Promise<Shape<'ToolCallResult'>>;
  /** Ends a job: it is charged nothing. @throws GatewayError JOB_NOT_RUNNING */
  cancelJob(jobId: string): Promise<Shape<'JobCancelled'>>;
  /** Keeps a file; its asset_id is an input for every tool that takes a file. @throws GatewayError */
  upload(file: UploadFile, options?: Omit<CallOptions, 'providerKeys'>): Promise<Shape<'UploadResult'>>;
  /** Makes a key without signing up: free tools work at once, a person claims it for the rest. @throws GatewayError */
  provision(): Promise<Shape<'ProvisionResponse'>>;
}
