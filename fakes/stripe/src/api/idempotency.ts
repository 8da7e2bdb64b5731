import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { acquireRecord, findRecord, type IdempotencyRecord } from '../state/idempotency-store';
import type { Sql } from '../types';
import { StripeApiError } from './errors';

const RETRY_MS = 20;

/** The error for an Idempotency-Key whose first request has not completed. */
export function keyInUse(key: string): StripeApiError {
  return new StripeApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Stripe API key and Idempotent Key '${key}'. Please try again later.`,
  });
}

/**
 * Acquires an Idempotency-Key for a request.
 * @param content everything in which two requests can differ
 * @returns the stored response of the first request; null if this is the first
 * @throws StripeApiError 400 if the first request had other content, 409 if it has not completed
 */
export async function acquireKey(
  sql: Sql,
  key: string,
  content: string,
  requestId: string,
): Promise<{ status: number; body: string } | null> {
  const fingerprint = createHash('sha256').update(content).digest('hex');
  for (;;) {
    if (await acquireRecord(sql, key, fingerprint, requestId)) return null;
    const record = await findRecord(sql, key);
    if (record) return readStoredResponse(record, key, fingerprint);
    // It was released between the two statements.
    await wait(RETRY_MS);
  }
}

function readStoredResponse(
  record: IdempotencyRecord,
  key: string,
  fingerprint: string,
): { status: number; body: string } {
  if (record.fingerprint !== fingerprint)
    throw new StripeApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  const { status, body } = record;
  if (status === null || body === null) throw keyInUse(key);
  return { status, body };
}
