import type { Harness } from '@/test/support/harness';
import { deliverWebhook } from '../deliver-webhook';

/** After a due time, so that rounding does not leave it in the future. */
const MARGIN_SECONDS = 0.01;

/** Moves the clock of all webhooks forward: what was due in some seconds is due now. */
export async function advanceWebhooks({ runtime: { sql } }: Harness, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds}::float8)`;
  await sql`update webhook_deliveries set next_attempt_at = next_attempt_at - ${by}, queued_at = queued_at - ${by},
    expires_at = expires_at - ${by}, created_at = created_at - ${by}, lease_expires_at = lease_expires_at - ${by}`;
  await sql`update webhook_endpoints set failing_since = failing_since - ${by}`;
  await sql`update webhook_secrets set previous_expires_at = previous_expires_at - ${by}`;
}

/** Creates an endpoint of the key's account, over REST. */
export async function createWebhook(
  harness: Harness,
  key: string,
  url: string,
  events: readonly string[],
): Promise<{ id: string; secret: string }> {
  const { status, body } = await harness.request('POST', '/v1/webhooks', { key, json: { url, events } });
  if (status !== 201) throw new Error(`No endpoint was created: ${JSON.stringify(body)}`);
  return body;
}

/** Does the work of the queue: sends what is due. */
export async function deliverDue({ runtime }: Harness): Promise<void> {
  const due = await runtime.sql<{ id: string }[]>`
    select id from webhook_deliveries where state = 'pending' and next_attempt_at <= clock_timestamp() order by id`;
  for (const { id } of due) await deliverWebhook(runtime, id);
}

/** Lets time pass from one due attempt to the next, sending each when it is due. */
export async function passTime(harness: Harness, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; ) {
    const [next] = await harness.runtime.sql<{ seconds: number }[]>`
      select greatest(0, extract(epoch from next_attempt_at - clock_timestamp()))::float8 as seconds
      from webhook_deliveries where state = 'pending' order by next_attempt_at limit 1`;
    const step = Math.min(left, (next?.seconds ?? left) + MARGIN_SECONDS);
    await advanceWebhooks(harness, step);
    await deliverDue(harness);
    left -= step;
  }
}
