import type { Microusd } from '../../kit/money';
import type { ErrorCode } from '../errors/catalogue';
import type { HintTransport } from '../errors/hint';
import type { Runtime } from '../runtime';
import type { DeprecationNotice } from '../versions/notice';
import type { Actor, KeyActor, Operator, SessionActor } from './actor';

/**
 * The caller's credentials as parsed from the transport; procedures look them up in the database.
 */
export type Credentials =
  | { kind: 'none' }
  | { kind: 'bearer'; token: string }
  /** Of the "Payment" scheme, on the route that accepts it: proves a payment, but no identity. */
  | { kind: 'payment'; credential: string }
  /** The value of PAYMENT-SIGNATURE (x402), on the route that accepts it. */
  | { kind: 'x402'; payment: string }
  /** An Authorization header with an unsupported scheme or form. */
  | { kind: 'malformed' }
  /** A key where it is not read. Only the place is known: the key itself is not repeated. */
  | { kind: 'misplaced'; where: 'header' | 'url' | 'scheme'; name: string }
  | { kind: 'session'; token: string }
  /** An application's access token, already looked up: the SHA-256 of its key, in hex. */
  | { kind: 'grant'; keyHash: string };

/** A file upload in progress; its bytes can be read once. */
export interface Upload {
  /** The filename parameter of the file's part. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  /** Upper bound of the size. */
  readonly maxBytes: number;
  /** Fails if the client disconnects before the end. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /**
   * The other form fields. Read them after the bytes, because they may follow the file.
   * @throws GatewayError INVALID_INPUT, naming the field
   */
  fields(): Promise<ReadonlyMap<string, string>>;
}

/** A response of bytes, or a range of them. */
export interface Download {
  readonly sizeBytes: number;
  /** In hex; the ETag is derived from it. */
  readonly sha256: string;
  readonly filename: string;
  readonly contentType: string;
  /** `inline`: a browser may display it. */
  readonly disposition: 'attachment' | 'inline';
  /** @param range inclusive; everything if omitted */
  open(range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * What a procedure sets on the response besides its result. tRPC's transport uses only `headers`.
 */
export interface Reply {
  /** 204 has no body. */
  status?: 200 | 201 | 202 | 204;
  headers: Record<string, string>;
  /** The requested route or tool is deprecated: REST responses have headers for it, errors too. */
  deprecation?: DeprecationNotice | undefined;
  /** The only fields of the procedure's result to send, such as `skills.name`; all if undefined. */
  fields?: readonly string[] | undefined;
  /** Sent as the response instead of the procedure's result. */
  download?: Download;
  /** Sent one by one as the response, instead of the procedure's result. */
  events?: AsyncIterable<CallEvent>;
  /**
   * With `events`: turns the call into a job, so that its result outlives the client's connection.
   * Returns false if the call has completed; the events then contain its outcome. Undefined if
   * calls do not become jobs.
   */
  becomeJob?: () => Promise<boolean>;
  /** Facts about the request for logs, metrics and traces. */
  actor?: Actor;
  route?: string;
  callId?: string;
  /** Whether the gateway generated the request id; then the first call's id follows from it. */
  hasNewRequestId?: boolean;
  errorCode?: ErrorCode;
  traceId?: string;
}

/** One event of a streamed call (contract section 6). */
export interface CallEvent {
  /** Where the stream continues after this event, in any process (contract section 12). */
  id: string;
  event: 'started' | 'progress' | 'rate_limit' | 'result' | 'error';
  data: object;
}

/** One request, independent of its transport. */
export interface RequestContext {
  readonly runtime: Runtime;
  readonly requestId: string;
  readonly clientIp: string;
  readonly credentials: Credentials;
  /** The procedures of one browser request share its session, which is read once. */
  readonly session?: { actor?: Promise<SessionActor> } | undefined;
  /** Values of X-Provider-Key-<provider>, by lower-case provider. Never logged. */
  readonly providerKeys: ReadonlyMap<string, string>;
  readonly userAgent: string | null;
  /** As sent; only operations that support it read it. */
  readonly idempotencyKey?: string | undefined;
  /** Seconds the client wants to wait for a call or job to complete (RFC 7240 `wait`). */
  readonly waitSeconds?: number | undefined;
  /** The value of Preference-Applied, if a Prefer header set the wait. */
  readonly preferenceApplied?: string | undefined;
  /** The client wants a signed receipt with the result (`Prefer: receipt`). */
  readonly wantsReceipt?: boolean | undefined;
  /** The client requested a stream of events. */
  readonly wantsEvents?: boolean | undefined;
  /** The id of the last event that the client received of a stream that it resumes. */
  readonly lastEventId?: string | undefined;
  /**
   * Aborts when the client disconnects before the response. Lazy: signals cost, and few need one.
   */
  readonly signal: () => AbortSignal;
  /**
   * Aborts when the client cancels the call itself: it stops and is not charged. Only on a
   * transport that can express it (MCP).
   */
  readonly cancelSignal?: (() => AbortSignal) | undefined;
  /** The raw body; only on the route where payments are bound to it. */
  readonly rawBody?: (() => Promise<Buffer>) | undefined;
  /** The file of a multipart body; only on the route that accepts one. */
  readonly upload?: (() => Promise<Upload>) | undefined;
  readonly reply: Reply;
  /** How the request arrived; tRPC accepts only sessions, REST only keys. */
  readonly transport: 'rest' | 'trpc' | 'internal';
  /** Over MCP, which calls the procedures of REST: `mcp`. */
  readonly hintWords?: HintTransport | undefined;
}

/** A request with an API key, or with a payment for an earlier request with a key. */
export interface PayableContext extends RequestContext {
  readonly payer: { kind: 'key'; actor: KeyActor } | { kind: 'payment'; credential: string };
}

/** A request with an API key. */
export interface KeyContext extends RequestContext {
  readonly actor: KeyActor;
  /**
   * Set where `actor` comes from the key cache: resolves the key as it is now. A refusal that the
   * database did not decide must call it first.
   * @throws GatewayError AUTH_FAILED, FORBIDDEN
   */
  readonly confirmActor?: (() => Promise<KeyActor>) | undefined;
  /**
   * The credit that was bought to pay for the call. It costs no more, and its quote is one of a
   * payer, valid when it was paid.
   */
  readonly paidMicrousd?: Microusd | undefined;
}

/** The credentials of a client without a key: none, or a payment for an earlier 402. */
export type Payer = Extract<Credentials, { kind: 'none' | 'payment' | 'x402' }>;

/** A request by an operator on the operator's pages. */
export interface OperatorContext extends RequestContext {
  readonly operator: Operator;
}

/** A request for an account, with an API key or a session. */
export interface AccountContext extends RequestContext {
  readonly actor: Actor;
}
