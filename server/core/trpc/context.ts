import type { ErrorCode } from '../errors/catalogue';
import type { Runtime } from '../runtime';
import type { DeprecationNotice } from '../versions/notice';
import type { Actor, KeyActor, Operator } from './actor';

/**
 * How the caller proved who they are. Read from the transport once; looked up in the database by
 * the procedures.
 */
export type Credentials =
  | { kind: 'none' }
  | { kind: 'bearer'; token: string }
  /** Of the "Payment" scheme, on the route that takes it: proves a payment, and no identity. */
  | { kind: 'payment'; credential: string }
  /** An Authorization header of a scheme or form we do not take. */
  | { kind: 'malformed' }
  | { kind: 'session'; token: string }
  /**
   * An application's access token, looked up where such are taken: the SHA-256 of the key that it
   * stands for, in hex.
   */
  | { kind: 'grant'; keyHash: string };

/** A file that is being sent; its bytes come as they are asked for, once. */
export interface Upload {
  /** As the client named it in the file's part. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  /** No more than so many bytes can come. */
  readonly atMostBytes: number;
  /** Fails where the client goes before the end. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /**
   * The other fields; asked after the bytes, behind which they may come.
   * @throws GatewayError INVALID_INPUT, naming the field
   */
  fields(): Promise<ReadonlyMap<string, string>>;
}

/** Bytes as an answer, or a part of them. */
export interface Download {
  readonly sizeBytes: number;
  /** Hex: what the ETag is made from. */
  readonly sha256: string;
  readonly filename: string;
  readonly contentType: string;
  /** `inline`: a browser may show it where it stands. */
  readonly disposition: 'attachment' | 'inline';
  /** @param range inclusive; the whole without it */
  open(range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * What an act may say to the transport beside its result. Ignored by tRPC's own transport but for
 * the headers.
 */
export interface Reply {
  status?: 200 | 201 | 202;
  headers: Record<string, string>;
  /** What was asked is deprecated: a REST answer says so in headers, whatever becomes of it. */
  deprecation?: DeprecationNotice | undefined;
  /** The database has decided on the key of this request since it came in. */
  keyConfirmed?: boolean;
  /** The answer is these bytes, not what the act returned. */
  download?: Download;
  /**
   * The answer goes on as these events, one by one, to their end; what the act returned is not
   * sent.
   */
  events?: AsyncIterable<CallEvent>;
  /**
   * With `events`: makes the call a job now, so that its result outlives whoever reads them. False
   * where it has ended: then the events say how. Not there where calls do not become jobs.
   */
  becomeJob?: () => Promise<boolean>;
  /** Who asked, which route, and what became of it: for the log, metrics and traces. */
  actor?: Actor;
  route?: string;
  callId?: string;
  errorCode?: ErrorCode;
  traceId?: string;
}

/** One event of a streamed call (contract section 6). */
export interface CallEvent {
  event: 'started' | 'progress' | 'rate_limit' | 'result' | 'error';
  data: object;
}

/** One request, whatever transport it came by. */
export interface RequestContext {
  readonly runtime: Runtime;
  readonly requestId: string;
  readonly clientIp: string;
  readonly credentials: Credentials;
  /** Values of X-Provider-Key-<provider>, by lower-case provider. Never logged. */
  readonly providerKeys: ReadonlyMap<string, string>;
  readonly userAgent: string | null;
  /** As it was sent; looked at only where an act honours it. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Seconds the client wants to wait for a call or job before it is told to come back (RFC 7240
   * `wait`).
   */
  readonly waitSeconds?: number | undefined;
  /** The value of Preference-Applied, where a Prefer header asked for the wait. */
  readonly preferenceApplied?: string | undefined;
  /** The client asked for a call's events as they come. */
  readonly wantsEvents?: boolean;
  /**
   * Aborted when the client has gone before its answer; a function, because making one costs and
   * few need it.
   */
  readonly signal: () => AbortSignal;
  /**
   * Aborted when the client wants the call ended, not only its answer: it is stopped, and costs
   * nothing. There only on a transport whose clients can say that by the request itself (MCP).
   */
  readonly cancelSignal?: (() => AbortSignal) | undefined;
  /** The body as it was sent; there only on the route whose payments are bound to it. */
  readonly rawBody?: (() => Promise<Buffer>) | undefined;
  /** The file of a multipart body; there only on the route that takes one. */
  readonly upload?: (() => Promise<Upload>) | undefined;
  readonly reply: Reply;
  /** The way it came by; on tRPC only sessions count, on REST only keys. */
  readonly transport: 'rest' | 'trpc' | 'internal';
}

/** A request made with an API key, or with a payment for what a key has asked for before. */
export interface PayableContext extends RequestContext {
  readonly payer: { kind: 'key'; actor: KeyActor } | { kind: 'payment'; credential: string };
}

/** A request made with an API key. */
export interface KeyContext extends RequestContext {
  readonly actor: KeyActor;
}

/** A request made by an operator, on their pages. */
export interface OperatorContext extends RequestContext {
  readonly operator: Operator;
}

/** A request made for an account, with an API key or in a session. */
export interface AccountContext extends RequestContext {
  readonly actor: Actor;
}
