import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Executor } from '@/db/client';
import { AccountSemaphore } from '../../kit/account-semaphore';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import { GatewayError } from '../errors/gateway-error';
import type { Topic } from '../notices/notices';
import type { Runtime } from '../runtime';
import type { RequestContext } from '../trpc/context';
import { fingerprint, MAX_IDEMPOTENCY_KEY, parseIdempotencyKey } from './idempotency-key';
import { replayResponse } from './replay-response';
import {
  type AcquireOutcome,
  acquireKey,
  extendLease,
  type OwnedRecordKey,
  type RecordKey,
  releaseKey,
  type StoredResponse,
  saveResponse,
} from './store';

/**
 * How long an identical request waits for the first response (contract section 5). The extra half
 * second covers the first request's 202, which also comes after 30 s.
 */
const ATTACH_MS = 30_500;
/** Limit of requests per account and process that may wait for another; more are rejected. */
const MAX_WAITING_PER_ACCOUNT = 500;
const RETRY_AFTER_SECONDS = 5;
/** Extends at a third of the lease, so that two extensions may fail. */
const EXTENSIONS_PER_LEASE = 3;

/**
 * The parts of a request context that `runOnce` reads. Requests without an Idempotency-Key (a
 * session, the operator) run without a record.
 */
export interface RunOnceContext
  extends Pick<RequestContext, 'runtime' | 'idempotencyKey' | 'signal' | 'reply'> {
  readonly actor: IdempotencyOwner;
}

/** The owner of Idempotency-Keys; only API keys have an origin account. */
type IdempotencyOwner = { readonly accountId: string; readonly originAccountId?: string };

/**
 * The account that stores the Idempotency-Keys of an actor: the one in which the API key was
 * created. A claim may move the key to another account at any time, and a retry must still find the
 * first response.
 */
export function idempotencyAccountId({ accountId, originAccountId }: IdempotencyOwner): string {
  return originAccountId ?? accountId;
}

/** A request as it is compared with later ones of the same key. */
export interface IdempotentRequest {
  /** The operation's name; the same key with another operation is a mismatch. */
  operation: string;
  /** The complete input, path parameters included. */
  body: unknown;
  /** The element of a batch, from 1; 0 for the request itself. */
  part?: number;
  /**
   * The call that it opens: completing, cancelling or recovering the call also completes this
   * record.
   */
  callId?: string;
  /** Whether it may run again after a crash, instead of being answered with a failure. */
  rerunnable?: boolean;
}

/** The record of a request, as a statement that stores its response names it. */
export interface ResponseRecord extends OwnedRecordKey {
  fingerprint: Buffer;
}

/**
 * How a request ended, and what becomes of its record:
 * - `keep`: it has, or gets, the response; also if nobody knows whether the request has started;
 * - `release`: nothing has started, so the request may be sent again;
 * - `drop`: it ran and was refused: its stored failure is dropped, so that it may be corrected.
 */
export type RequestEnd<T> = { record: 'keep' | 'release' | 'drop' } & ({ response: T } | { error: unknown });

/** The exclusive right to run a request, held by a lease. */
export interface RequestLease {
  readonly record: ResponseRecord;
  /**
   * Stores the response, preferably in the transaction that did the work.
   * @returns false if one is stored already, or if another run took over because the lease expired
   */
  save(tx: Executor, response: { status: number; body: object }): Promise<boolean>;
  /** Whether the lease may have expired, because this process or the database was stalled. */
  mayHaveExpired(): boolean;
  /**
   * Renews the lease; false if another run has taken over. To be called before starting after a
   * long wait.
   */
  renew(): Promise<boolean>;
}

const waiting = new AccountSemaphore(MAX_WAITING_PER_ACCOUNT);

/**
 * Runs a request once per Idempotency-Key: later requests get the stored response, concurrent ones
 * wait for it. Without a key it simply runs. A refused request may be sent again.
 * @param act stores its response by `RequestLease.save`, with the work; if it fails or stores none,
 *   the record is released
 * @throws GatewayError IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS, or the stored failure
 */
export function runOnce<T extends object>(
  context: RunOnceContext,
  request: IdempotentRequest,
  act: (lease: RequestLease | null) => Promise<T>,
): Promise<T> {
  return withRecord<T>(context, request, async (lease) => {
    let stored = false;
    const save: RequestLease['save'] = async (tx, first) => {
      stored = (await lease?.save(tx, first)) === true;
      return stored;
    };
    const response = await act(lease && { ...lease, save });
    return { response, record: stored ? 'keep' : 'release' };
  });
}

/**
 * As `runOnce`, for a request that decides what becomes of its record.
 * @param act stores its response itself; if it throws, nothing has started and the record is
 *   released (see `keepOnError`)
 * @param again how to replay the stored response, if not unchanged
 */
export async function withRecord<T extends object>(
  context: RunOnceContext,
  request: IdempotentRequest,
  act: (lease: RequestLease | null) => Promise<RequestEnd<T>>,
  again: (stored: StoredResponse) => T = (stored) => replayResponse<T>(context, stored),
): Promise<T> {
  const { idempotencyKey } = context;
  return idempotencyKey === undefined
    ? unwrapEnd(await act(null))
    : await withRecordOfKey(context, idempotencyKey, request, act, again);
}

/** From the first statement on that may have started the request, an error keeps its record. */
export async function keepOnError<T>(act: () => Promise<RequestEnd<T>>): Promise<RequestEnd<T>> {
  try {
    return await act();
  } catch (error) {
    return { error, record: 'keep' };
  }
}

function unwrapEnd<T>(end: RequestEnd<T>): T {
  if ('response' in end) return end.response;
  throw end.error;
}

async function withRecordOfKey<T extends object>(
  context: RunOnceContext,
  idempotencyKey: string,
  request: IdempotentRequest,
  act: (lease: RequestLease) => Promise<RequestEnd<T>>,
  again: (stored: StoredResponse) => T,
): Promise<T> {
  const name: OwnedRecordKey = {
    accountId: idempotencyAccountId(context.actor),
    key: readIdempotencyKey(idempotencyKey),
    part: request.part ?? 0,
    owner: randomBytes(12).toString('hex'),
  };
  const clock: LeaseClock = { renewedAt: performance.now() };
  const record = { ...name, fingerprint: fingerprint(request.operation, request.body) };
  const topic = getTopic(name, request.callId);
  let stored: StoredResponse | null;
  try {
    stored = await acquireOrWait(context, record, request, clock);
  } catch (error) {
    // It may have been acquired although no answer came: the same request must not wait for it.
    if (!(error instanceof GatewayError)) void releaseRecord(context, name, topic, false);
    throw error;
  }
  if (stored) {
    context.reply.headers['Idempotent-Replayed'] = 'true';
    return again(stored);
  }
  return await runWithLease(context, record, clock, topic, act);
}

/** If it fails, the lease expires and the next identical request takes over. */
async function releaseRecord(
  { runtime: { sql, log } }: RunOnceContext,
  name: OwnedRecordKey,
  topic: Topic,
  answered: boolean,
): Promise<void> {
  await releaseKey(sql, name, topic, answered).catch((error) => warnOfUpdate(log, error));
}

function warnOfUpdate(log: Runtime['log'], error: unknown): void {
  log.warn('idempotency.lease_update_failed', { error });
}

/** When an extension that succeeded was requested: the lease lasts at least from then on. */
interface LeaseClock {
  renewedAt: number;
}

/** Holds the lease while `act` runs. */
async function runWithLease<T>(
  context: RunOnceContext,
  name: ResponseRecord,
  clock: LeaseClock,
  topic: Topic,
  act: (lease: RequestLease) => Promise<RequestEnd<T>>,
): Promise<T> {
  const { sql, flush, log } = context.runtime;
  let stored = false;
  const extend = async () => {
    const began = performance.now();
    const ours = await extendLease(sql, name, flush.leaseSeconds);
    if (ours) clock.renewedAt = began;
    return ours;
  };
  const lease: RequestLease = {
    record: name,
    async save(tx, response) {
      stored = await saveResponse(tx, name, response, topic);
      return stored;
    },
    mayHaveExpired: () => !stored && performance.now() - clock.renewedAt > flush.leaseSeconds * 1000,
    renew: async () => stored || (await extend()),
  };
  const everyMs = (flush.leaseSeconds * 1000) / EXTENSIONS_PER_LEASE;
  const extending = setInterval(() => void extend().catch((error) => warnOfUpdate(log, error)), everyMs);
  extending.unref();
  let end: RequestEnd<T>;
  try {
    end = await act(lease);
  } catch (error) {
    end = { error, record: 'release' };
  }
  clearInterval(extending);
  if (end.record !== 'keep') await releaseRecord(context, name, topic, end.record === 'drop');
  return unwrapEnd(end);
}

/** Saves the response with the work. Throws, to roll it back, if another run saved one first. */
export async function saveResponseOrThrow(
  tx: Executor,
  lease: RequestLease | null,
  response: { status: number; body: object },
): Promise<void> {
  if (lease && !(await lease.save(tx, response))) throw createInProgress();
}

/** @throws GatewayError INVALID_INPUT */
export function readIdempotencyKey(header: string): string {
  const key = parseIdempotencyKey(header);
  if (key !== null) return key;
  const message = `Must be one key of 1 to ${MAX_IDEMPOTENCY_KEY} printable ASCII characters, bare or in quotes.`;
  throw new GatewayError('INVALID_INPUT', {
    message: `Idempotency-Key: ${message}`,
    details: { fields: [{ path: 'Idempotency-Key', message }] },
  });
}

export function createInProgress(): GatewayError {
  return new GatewayError('IDEMPOTENCY_IN_PROGRESS', { details: { retry_after: RETRY_AFTER_SECONDS } });
}

/**
 * Returns null if the record was acquired; else the stored response, waiting for a running request.
 */
async function acquireOrWait(
  context: RunOnceContext,
  name: ResponseRecord,
  request: IdempotentRequest,
  clock: LeaseClock,
): Promise<StoredResponse | null> {
  const { sql, flush, settings } = context.runtime;
  const asked = {
    ...name,
    callId: request.callId ?? null,
    rerunnable: request.rerunnable ?? false,
    leaseSeconds: flush.leaseSeconds,
    lifetimeHours: settings.idempotencyHours,
  };
  const attempt = (ask = acquireKey.bind(null, sql)) => {
    clock.renewedAt = performance.now();
    return ask(asked);
  };
  let found = await attempt(flush.acquireIdempotencyKey);
  if (found.outcome === 'running') {
    const tryAgain = () =>
      shareAttempt(
        `${getTopic(name, undefined)} ${asked.fingerprint.toString('hex')}`,
        asked.callId,
        attempt,
      );
    found = await waitForTurn(context, name, found, tryAgain);
    await yieldToEventLoop();
  }
  switch (found.outcome) {
    case 'acquired':
      return null;
    case 'replay':
      return found.stored;
    case 'mismatch':
      throw new GatewayError('IDEMPOTENCY_MISMATCH', { details: { billed: false } });
    case 'running':
      throw createInProgress();
    default:
      return found satisfies never;
  }
}

const sharedAttempts = new Map<string, Promise<{ found: AcquireOutcome; callId: string | null }>>();

/**
 * Shares one attempt among all identical requests that wait in this process: a release wakes all of
 * them, but only one can acquire the record. The others get `running`.
 */
async function shareAttempt(
  what: string,
  callId: string | null,
  attempt: () => Promise<AcquireOutcome>,
): Promise<AcquireOutcome> {
  const others = sharedAttempts.get(what);
  if (others) {
    const { found, callId: taken } = await others;
    return found.outcome === 'acquired' ? { outcome: 'running', callId: taken } : found;
  }
  // Shared only until the statement starts: a running statement may miss a change that woke a later
  // request.
  const shared = setImmediate()
    .then(() => {
      sharedAttempts.delete(what);
      return attempt();
    })
    .then((found) => ({ found, callId }));
  sharedAttempts.set(what, shared);
  return (await shared).found;
}

type Running = Extract<AcquireOutcome, { outcome: 'running' }>;

/**
 * Retries when the running request ends. Returns `running` on timeout or when the client is gone.
 */
async function waitForTurn(
  context: RunOnceContext,
  name: RecordKey,
  first: Running,
  attempt: () => Promise<AcquireOutcome>,
): Promise<AcquireOutcome> {
  const { accountId } = name;
  const leave = waiting.tryAcquire(accountId);
  if (!leave) return first;
  const end = performance.now() + ATTACH_MS;
  let found: AcquireOutcome = first;
  try {
    while (found.outcome === 'running' && performance.now() < end) {
      const { callId }: Running = found;
      const next: AcquireOutcome | null = await context.runtime.notices.untilFound(
        getTopic(name, callId ?? undefined),
        async () => {
          const now = await attempt();
          // If another request has taken over, its call is the one to wait for.
          return now.outcome === 'running' && now.callId === callId ? null : now;
        },
        { timeoutMs: end - performance.now(), signal: context.signal() },
      );
      if (!next) break;
      found = next;
    }
    return found;
  } finally {
    leave();
  }
}

/** The topic to wait on: the call, if there is one, else the key, hashed to fit a notification. */
function getTopic({ accountId, key, part }: RecordKey, callId: string | undefined): Topic {
  if (callId) return `call:${callId}`;
  return `key:${createHash('sha256').update(`${accountId}\n${part}\n${key}`).digest('base64url')}`;
}
