import { deliverWebhook } from '../platform/webhooks/deliver-webhook';
import type { Harness } from './harness';

/** Moves the clock of all webhooks forward: what was due in some seconds is due now. */
export async function advanceWebhooks({ runtime: { sql } }: Harness, seconds: number): Promise<void> {
  const by = sql`make_interval(secs => ${seconds}::float8)`;
  await sql`update webhook_deliveries set next_attempt_at = next_attempt_at - ${by},
    expires_at = expires_at - ${by}, created_at = created_at - ${by}, lease_expires_at = lease_expires_at - ${by}`;
  await sql`update webhook_endpoints set failing_since = failing_since - ${by}`;
  await sql`update webhook_secrets set previous_expires_at = previous_expires_at - ${by}`;
}

/** Does the work of the queue: sends what is due. */
export async function deliverDue({ runtime }: Harness): Promise<void> {
  const due = await runtime.sql<{ id: string }[]>`
    select id from webhook_deliveries where state = 'pending' and next_attempt_at <= clock_timestamp() order by id`;
  for (const { id } of due) await deliverWebhook(runtime, id);
}

/** Lets the time of a retry schedule pass in steps, sending what becomes due. */
export async function passTime(harness: Harness, seconds: number, step: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += step) {
    await advanceWebhooks(harness, step);
    await deliverDue(harness);
  }
}
