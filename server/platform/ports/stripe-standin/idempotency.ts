import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '@/db/client';
import { StripeRefusal } from './errors';
import { claimRequest, findRequest } from './request-store';

const LOOK_AGAIN_MS = 20;

/** Refuses a request whose key belongs to one that still runs. */
export function keyInUse(key: string): StripeRefusal {
  return new StripeRefusal(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Stripe API key and Idempotent Key '${key}'. Please try again later.`,
  });
}

/**
 * Takes an Idempotency-Key for a request.
 * @param claim the request's own name
 * @param wording everything in which two requests may differ
 * @returns the first answer where there is one; null where this request is the first
 * @throws StripeRefusal 400 where the key belongs to another request, 409 where that one still runs
 */
export async function takeKey(
  sql: Sql,
  key: string,
  wording: string,
  claim: string,
): Promise<{ status: number; body: string } | null> {
  const fingerprint = createHash('sha256').update(wording).digest('hex');
  for (;;) {
    if (await claimRequest(sql, key, fingerprint, claim)) return null;
    const known = await findRequest(sql, key);
    if (known) return readKnown(known, key, fingerprint);
    // Its owner gave it back between the two looks.
    await wait(LOOK_AGAIN_MS);
  }
}

function readKnown(
  { fingerprint, status, body }: { fingerprint: string; status: number | null; body: string | null },
  key: string,
  mine: string,
): { status: number; body: string } {
  if (fingerprint !== mine)
    throw new StripeRefusal(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  if (status === null || body === null) throw keyInUse(key);
  return { status, body };
}
