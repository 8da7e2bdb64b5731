import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { ErrorCode } from '../errors/catalogue';
import type { RequestContext } from './context';
import { formatError } from './format-error';

/** What REST needs to know about a procedure beside its path; one truth per route. */
export interface RestMeta {
  /** Status of a success where it is not 200. */
  successStatus?: 201;
  /** Public and cacheable: ETag, Cache-Control, 304. */
  discovery?: boolean;
  /** Codes a client should expect, beside those every route may answer with. */
  errors: readonly ErrorCode[];
  /** The answer says the state of the call limits in its headers. */
  rateLimited?: boolean;
  /** Prefer: wait=N is honoured. */
  prefer?: boolean;
  /** Idempotency-Key is honoured. */
  idempotent?: boolean;
  /** X-Provider-Key-<provider> is honoured. */
  providerKeys?: boolean;
  /** With Accept: text/event-stream the answer is a stream of events. */
  streams?: boolean;
  /** The body is a file, as multipart/form-data, read as it comes. */
  upload?: boolean;
  /** The answer is the bytes of an asset, with ranges and conditions. */
  download?: boolean;
  /** The answer says the state of the limit on public assets in its headers. */
  publicAssets?: boolean;
  /**
   * Answered 402 with a way to pay, and then taken with Authorization: Payment (only machine
   * top-up).
   */
  payable?: boolean;
  /** A signed-in browser on our own origin may ask too (only /v1/auth/claim). */
  sessionAllowed?: boolean;
}

export type ProcedureMeta = OpenApiMeta & {
  rest?: RestMeta;
  /** A change that the person of a frozen account may make in the browser. */
  whileFrozen?: true;
};

export const t = initTRPC
  .context<RequestContext>()
  .meta<ProcedureMeta>()
  .create({ errorFormatter: formatError });
