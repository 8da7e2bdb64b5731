import { createHash, randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Executor } from '@/db/client';
import { ownTurn } from '../../kit/own-turn';
import { WaitingLimit } from '../../kit/waiting-limit';
import { GatewayError } from '../errors/gateway-error';
import type { Topic } from '../notices/notices';
import type { RequestContext } from '../trpc/context';
import { giveAgain } from './give-again';
import { fingerprint, MAX_IDEMPOTENCY_KEY, parseIdempotencyKey } from './idempotency-key';
import {
  type ClaimOutcome,
  claimKey,
  extendKey,
  type KeptAnswer,
  keepAnswer,
  type OwnedName,
  type RecordName,
  releaseKey,
} from './store';

/**
 * How long an equal request waits for the answer of the first (contract section 5). The half second
 * is for the first one's 202, which comes after 30 s too: whoever was sent at the same time gets
 * it, not a refusal.
 */
const ATTACH_MS = 30_500;
/** Requests of one account that may wait for another in one process; more are refused at once. */
const MAX_WAITING_PER_ACCOUNT = 500;
const RETRY_AFTER_SECONDS = 5;
/** A third of the lease, so that two extensions may fail. */
const EXTENSIONS_PER_LEASE = 3;

/**
 * What `once` needs to know of a request: whoever has no Idempotency-Key (a session, the operator)
 * passes unkept.
 */
export interface OnceContext extends Pick<RequestContext, 'runtime' | 'idempotencyKey' | 'signal' | 'reply'> {
  readonly actor: IdempotencyOwner;
}

/** Whose Idempotency-Keys they are; only API keys have an origin. */
type IdempotencyOwner = { readonly accountId: string; readonly originAccountId?: string };

/**
 * The account under which Idempotency-Keys are stored: that in which the API key was made. A claim
 * moves the key to another account, before, during or after a request, and its retry must still
 * find the first answer.
 */
export function idempotencyAccountId({ accountId, originAccountId }: IdempotencyOwner): string {
  return originAccountId ?? accountId;
}

/** A request as it is compared with later ones of the same key. */
export interface OnceRequest {
  /** The name of what is done; the same key for another operation is a mismatch. */
  operation: string;
  /** All it was asked with, path parameters too. */
  body: unknown;
  /** The element of a batch, from 1; 0 for the request itself. */
  part?: number;
  /**
   * The call that it will open: its end, cancel or crash then ends this record in the same
   * transaction.
   */
  callId?: string;
  /** After a crash it may be run again instead of being answered as failed. */
  rerunnable?: boolean;
}

/** The right to be the one run of a request. */
export interface Claim {
  /**
   * True once the request has, or may have, started: from then on it is not let go, whatever is
   * thrown.
   */
  started: boolean;
  /**
   * True where the call has run and been refused: its answer is dropped, because a refusal may be
   * sent again corrected.
   */
  refused: boolean;
  /**
   * Keeps the answer, best in the transaction that did the work.
   * @returns false where one was kept before, or another run has taken over because this one seemed
   *   dead
   */
  keep(tx: Executor, answer: { status: number; body: object }): Promise<boolean>;
  /** Whether its lease may have run out, because this process or the database stood still. */
  mayBeLost(): boolean;
  /**
   * False where another run has taken over; else its lease begins anew. Asked by whoever has waited
   * long before it starts.
   */
  isOurs(): Promise<boolean>;
}

const waiting = new WaitingLimit(MAX_WAITING_PER_ACCOUNT);

/**
 * Does a request once, however often it is sent with the same Idempotency-Key: the first answer is
 * given again, equal requests that come meanwhile wait for it. Without a key it is simply done.
 * What is refused may be sent again.
 * @param act keeps its answer itself: with the call it closes, or by `claim.keep`; what it neither
 *   starts nor keeps is let go
 * @param again how the kept answer is given, where not as it was
 * @throws GatewayError IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS, or the kept failure
 */
export function once<T extends object>(
  context: OnceContext,
  request: OnceRequest,
  act: (claim: Claim | null) => Promise<T>,
  again: (kept: KeptAnswer) => T = (kept) => giveAgain<T>(context, kept),
): Promise<T> {
  const { idempotencyKey } = context;
  return idempotencyKey === undefined ? act(null) : onceWithKey(context, idempotencyKey, request, act, again);
}

async function onceWithKey<T extends object>(
  context: OnceContext,
  idempotencyKey: string,
  request: OnceRequest,
  act: (claim: Claim | null) => Promise<T>,
  again: (kept: KeptAnswer) => T,
): Promise<T> {
  const name: OwnedName = {
    accountId: idempotencyAccountId(context.actor),
    key: readIdempotencyKey(idempotencyKey),
    part: request.part ?? 0,
    owner: randomBytes(12).toString('hex'),
  };
  const lease: Lease = { renewedAt: performance.now() };
  const kept = await claimOrWait(context, name, request, lease);
  if (kept) {
    context.reply.headers['Idempotent-Replayed'] = 'true';
    return again(kept);
  }
  return await actAsOwner(context, name, lease, topicOf(name, request.callId), act);
}

/** When it was last asked for with success: it lasts from then on at least. */
interface Lease {
  renewedAt: number;
}

/**
 * Holds the claim while the act runs; afterwards the call it opened, or the kept answer, speaks for
 * it.
 */
async function actAsOwner<T>(
  { runtime }: OnceContext,
  name: OwnedName,
  lease: Lease,
  topic: Topic,
  act: (claim: Claim) => Promise<T>,
): Promise<T> {
  const { sql, flush, log } = runtime;
  let kept = false;
  const extend = async () => {
    const began = performance.now();
    const ours = await extendKey(sql, name, flush.leaseSeconds);
    if (ours) lease.renewedAt = began;
    return ours;
  };
  const claim: Claim = {
    started: false,
    refused: false,
    async keep(tx, answer) {
      kept = await keepAnswer(tx, name, answer, topic);
      return kept;
    },
    mayBeLost: () => !kept && performance.now() - lease.renewedAt > flush.leaseSeconds * 1000,
    isOurs: async () => kept || (await extend()),
  };
  const warn = (error: unknown) => log.warn('an Idempotency-Key was not renewed or let go', { error });
  const everyMs = (flush.leaseSeconds * 1000) / EXTENSIONS_PER_LEASE;
  const extending = setInterval(() => void extend().catch(warn), everyMs);
  extending.unref();
  let ok = false;
  try {
    const result = await act(claim);
    ok = true;
    return result;
  } finally {
    clearInterval(extending);
    // Where this fails its lease runs out: the next equal request takes over.
    if (claim.refused || (!claim.started && !(ok && kept)))
      await releaseKey(sql, name, topic, claim.refused).catch(warn);
  }
}

/** Keeps the answer with the work; undoes that where another run of the same request was first. */
export async function keepWithin(
  tx: Executor,
  claim: Claim | null,
  answer: { status: number; body: object },
): Promise<void> {
  if (claim && !(await claim.keep(tx, answer))) throw inProgress();
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

export function inProgress(): GatewayError {
  return new GatewayError('IDEMPOTENCY_IN_PROGRESS', { details: { retry_after: RETRY_AFTER_SECONDS } });
}

/** Null: the key is ours. Otherwise the first answer, waited for where the first still runs. */
async function claimOrWait(
  context: OnceContext,
  name: OwnedName,
  request: OnceRequest,
  lease: Lease,
): Promise<KeptAnswer | null> {
  const { sql, flush, settings } = context.runtime;
  const asked = {
    ...name,
    fingerprint: fingerprint(request.operation, request.body),
    callId: request.callId ?? null,
    rerunnable: request.rerunnable ?? false,
    leaseSeconds: flush.leaseSeconds,
    lifetimeHours: settings.idempotencyHours,
  };
  const attempt = (ask = claimKey.bind(null, sql)) => {
    lease.renewedAt = performance.now();
    return ask(asked);
  };
  let found = await attempt(flush.claimKey);
  if (found.outcome === 'running') {
    const look = () =>
      lookTogether(`${topicOf(name, undefined)} ${asked.fingerprint.toString('hex')}`, asked.callId, attempt);
    found = await waitForTurn(context, name, found, look);
    await ownTurn();
  }
  switch (found.outcome) {
    case 'claimed':
      return null;
    case 'replay':
      return found.answer;
    case 'mismatch':
      throw new GatewayError('IDEMPOTENCY_MISMATCH', { details: { billed: false } });
    case 'running':
      throw inProgress();
    default:
      return found satisfies never;
  }
}

const looks = new Map<string, Promise<{ found: ClaimOutcome; callId: string | null }>>();

/**
 * One look for all equal requests that wait in this process: a request that lets go wakes every
 * one, and only one of them can take it over. The others are told that it runs.
 */
async function lookTogether(
  what: string,
  callId: string | null,
  attempt: () => Promise<ClaimOutcome>,
): Promise<ClaimOutcome> {
  const others = looks.get(what);
  if (others) {
    const { found, callId: taken } = await others;
    return found.outcome === 'claimed' ? { outcome: 'running', callId: taken } : found;
  }
  // Shared only until it is asked: what is on its way may not have seen what the next one was woken
  // for.
  const look = setImmediate()
    .then(() => {
      looks.delete(what);
      return attempt();
    })
    .then((found) => ({ found, callId }));
  looks.set(what, look);
  return (await look).found;
}

type Running = Extract<ClaimOutcome, { outcome: 'running' }>;

/**
 * Tries again whenever the one that runs has ended; still `running` when the time is over or nobody
 * waits any more.
 */
async function waitForTurn(
  context: OnceContext,
  name: RecordName,
  first: Running,
  attempt: () => Promise<ClaimOutcome>,
): Promise<ClaimOutcome> {
  const { accountId } = name;
  const leave = waiting.enter(accountId);
  if (!leave) return first;
  const end = performance.now() + ATTACH_MS;
  let found: ClaimOutcome = first;
  try {
    while (found.outcome === 'running' && performance.now() < end) {
      const { callId }: Running = found;
      const next: ClaimOutcome | null = await context.runtime.notices.untilFound(
        topicOf(name, callId ?? undefined),
        async () => {
          const now = await attempt();
          // Another request may have taken it over meanwhile: then its call is the one to wait for.
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

/**
 * What waiters listen to: the call where there is one, else the key itself, hashed to fit a notice.
 */
function topicOf({ accountId, key, part }: RecordName, callId: string | undefined): Topic {
  if (callId) return `call:${callId}`;
  return `key:${createHash('sha256').update(`${accountId}\n${part}\n${key}`).digest('base64url')}`;
}
