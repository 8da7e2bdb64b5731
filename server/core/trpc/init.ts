import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { ErrorCode } from '../errors/catalogue';
import type { RequestContext } from './context';
import { formatError } from './format-error';

/** What REST needs to know about a procedure, except its path. The one source for each route. */
export interface RestMeta {
  /** Status of a success, if not 200. */
  successStatus?: 201;
  /** Public and cacheable: ETag, Cache-Control, 304. */
  discovery?: boolean;
  /** Error codes of this route, in addition to those of every route. */
  errors: readonly ErrorCode[];
  /** Responses have rate limit headers. */
  rateLimited?: boolean;
  /** Honors Prefer: wait=N. */
  prefer?: boolean;
  /** With Prefer: receipt, the receipt of its one call is a header. */
  receipt?: boolean;
  /** Honors Idempotency-Key. */
  idempotent?: boolean;
  /** Models write the body: null for an optional field means absent (`readLeniently`). */
  fromModels?: boolean;
  /** Honors X-Provider-Key-<provider>. */
  providerKeys?: boolean;
  /** Streams events if the client sends Accept: text/event-stream. */
  streams?: boolean;
  /** The response is always a stream of events; honors Last-Event-ID. */
  events?: boolean;
  /** The body is a file as multipart/form-data, read as a stream. */
  upload?: boolean;
  /** The response is the bytes of an asset, with ranges and conditional requests. */
  download?: boolean;
  /** Responses have headers of the limit on public assets. */
  publicAssets?: boolean;
  /**
   * Responds 402 with payment options, and accepts Authorization: Payment (only machine top-up).
   */
  payable?: boolean;
  /** With PAY_PER_CALL, a request without a key can be paid for (only tools/call). */
  payPerCall?: boolean;
  /** Also accepts a browser session from our own origin (only /v1/auth/claim). */
  sessionAllowed?: boolean;
}

export type ProcedureMeta = OpenApiMeta & {
  rest?: RestMeta;
  /** A mutation that the owner of a frozen account may still make in the browser. */
  whileFrozen?: true;
  /** How a query takes its turn, by default as `read`; `follow` waits for a call and takes none. */
  reads?: 'report' | 'follow';
};

export const t = initTRPC
  .context<RequestContext>()
  .meta<ProcedureMeta>()
  .create({ errorFormatter: formatError });
