import { createHash } from 'node:crypto';
import type { Executor } from '@/db/client';
import { usdFromMicrousd } from '../billing/money';
import type { ErrorCode } from '../errors/catalogue';
import { type ErrorDetails, GatewayError } from '../errors/gateway-error';
import type { Topic } from '../notices';
import type { KeyContext } from '../trpc/context';
import { fingerprint, MAX_IDEMPOTENCY_KEY, parseIdempotencyKey } from './idempotency-key';
import { claimKey, type KeptAnswer, keepAnswer, type RecordName, releaseKey } from './store';

/** How long an equal request waits for the answer of the first (contract section 5). */
const ATTACH_MS = 30_000;
const RETRY_AFTER_SECONDS = 5;

/** A request as it is compared with later ones of the same key. */
export interface OnceRequest {
  /** The name of what is done; the same key for another operation is a mismatch. */
  operation: string;
  body: unknown;
  /** The element of a batch, from 1; 0 for the request itself. */
  part?: number;
  /** The call that it will open: its end, cancel or crash then ends this record in the same transaction. */
  callId?: string;
  /** After a crash it may be run again instead of being answered as failed. */
  rerunnable?: boolean;
}

/** The right to be the one run of a request. */
export interface Claim {
  /** Set once the request has started: from then on it is not let go, whatever is thrown. */
  started: boolean;
  /** Keeps the answer, best in the transaction that did the work. False where one was kept before. */
  keep(tx: Executor, answer: { status: number; body: object }): Promise<boolean>;
}

/**
 * Does a request once, however often it is sent with the same Idempotency-Key: the first answer is given again, equal
 * requests that come meanwhile wait for it. Without a key it is simply done. What is refused may be sent again.
 * @param act keeps its answer itself: with the call it closes, or by `claim.keep`
 * @throws GatewayError IDEMPOTENCY_MISMATCH, IDEMPOTENCY_IN_PROGRESS, or the kept failure
 */
export async function once<T extends object>(
  context: KeyContext,
  request: OnceRequest,
  act: (claim: Claim | null) => Promise<T>,
): Promise<T> {
  if (context.idempotencyKey === undefined) return await act(null);
  const name: RecordName = {
    accountId: context.actor.accountId,
    key: readKey(context.idempotencyKey),
    part: request.part ?? 0,
  };
  const replayed = await claimOrReplay(context, name, request);
  if (replayed) return giveAgain<T>(context, replayed);
  const topic = topicOf(name, request.callId);
  const claim: Claim = { started: false, keep: (tx, answer) => keepAnswer(tx, name, answer, topic) };
  try {
    return await act(claim);
  } catch (error) {
    if (!claim.started) await releaseKey(context.runtime.sql, name, context.runtime.flush.fence, topic);
    throw error;
  }
}

function readKey(header: string): string {
  const key = parseIdempotencyKey(header);
  if (key !== null) return key;
  const message = `Must have 1 to ${MAX_IDEMPOTENCY_KEY} printable ASCII characters.`;
  throw new GatewayError('INVALID_INPUT', {
    message: `Idempotency-Key: ${message}`,
    details: { fields: [{ path: 'Idempotency-Key', message }] },
  });
}

/** Null: the key is ours. Otherwise the first answer, waited for where the first still runs. */
async function claimOrReplay(
  context: KeyContext,
  name: RecordName,
  request: OnceRequest,
): Promise<KeptAnswer | null> {
  const { runtime } = context;
  const attempt = () =>
    claimKey(runtime.sql, {
      ...name,
      fingerprint: fingerprint(request.operation, request.body),
      callId: request.callId ?? null,
      rerunnable: request.rerunnable ?? false,
      fence: runtime.flush.fence,
      leaseSeconds: runtime.flush.leaseSeconds,
      lifetimeHours: runtime.settings.idempotencyHours,
    });
  const end = performance.now() + ATTACH_MS;
  for (;;) {
    let found = await attempt();
    if (found.outcome === 'running') {
      const { callId } = found;
      const next = await runtime.notices.untilFound(
        topicOf(name, callId ?? undefined),
        async () => {
          const now = await attempt();
          // Another request may have taken it over meanwhile: then its call is the one to wait for.
          return now.outcome === 'running' && now.callId === callId ? null : now;
        },
        { timeoutMs: end - performance.now(), signal: context.signal() },
      );
      if (next?.outcome === 'running') continue;
      if (next) found = next;
    }
    switch (found.outcome) {
      case 'claimed':
        return null;
      case 'replay':
        return found.answer;
      case 'mismatch':
        throw new GatewayError('IDEMPOTENCY_MISMATCH', { details: { billed: false } });
      case 'running':
        throw new GatewayError('IDEMPOTENCY_IN_PROGRESS', { details: { retry_after: RETRY_AFTER_SECONDS } });
      default:
        found satisfies never;
    }
  }
}

/** What waiters listen to: the call where there is one, else the key itself, hashed to fit a notice. */
function topicOf({ accountId, key, part }: RecordName, callId: string | undefined): Topic {
  if (callId) return `call:${callId}`;
  return `key:${createHash('sha256').update(`${accountId}\n${part}\n${key}`).digest('base64url')}`;
}

function giveAgain<T extends object>(context: KeyContext, { status, reply, available }: KeptAnswer): T {
  context.reply.headers['Idempotent-Replayed'] = 'true';
  if (status >= 400) throw keptError(reply);
  context.reply.status = status as 200 | 201 | 202;
  const { usage } = reply as { usage?: { credits_remaining?: number } };
  if (available !== null && usage) usage.credits_remaining = usdFromMicrousd(available);
  // It was written as a T, by the act whose answer it is.
  return reply as T;
}

/** A kept failure with its own words and request id, so that it reads as it did the first time. */
function keptError(body: Record<string, unknown>): GatewayError {
  const {
    code,
    message,
    resolution_hint,
    type: _,
    ...details
  } = body.error as ErrorDetails & {
    code: ErrorCode;
    message: string;
    resolution_hint: string;
    type: string;
  };
  return new GatewayError(code, { message, hint: resolution_hint, details });
}
