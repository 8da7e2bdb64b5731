import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { startReceiver, verifyWebhook, type WebhookReceiver } from '@/test/support/webhook-receiver';
import { emitWebhook } from '../../platform/webhooks/emit-webhook';
import { deliverWebhook } from './deliver-webhook';
import { requeueWebhooks } from './requeue-webhooks';
import { advanceWebhooks, deliverDue } from './testing/webhook-fixture';

/** How a process dies in the middle of a delivery. */
type Crash = 'before sending' | 'after sending';

let receiver: WebhookReceiver;
let harness: Harness;
let crash: Crash | null = null;
beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({ role: 'command', env: { OUTBOUND_ALLOW: receiver.allow } });
});
afterAll(async () => {
  await harness?.close();
  await receiver?.close();
});

const ROLLED_BACK = new Error('The transaction is rolled back');
/** Longer than the lease of a delivery, and than most of its delays. */
const LONG_SECONDS = 3_600;

class Died extends Error {}

/** The runtime of a process that dies where `crash` says: nothing of it is written afterwards. */
function createMortalRuntime() {
  const { runtime } = harness;
  let died = false;
  const die = () => {
    died = true;
    throw new Died();
  };
  const outbound: typeof runtime.ports.outbound = async (input, init) => {
    const dies = crash;
    crash = null;
    if (dies === 'before sending') die();
    const response = await runtime.ports.outbound(input, init);
    if (dies === 'after sending') die();
    return response;
  };
  const db = new Proxy(runtime.db, {
    get(target, name) {
      if (name === 'transaction' && died) return () => Promise.reject(new Died());
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...runtime, db, ports: { ...runtime.ports, outbound } };
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('emit' as const), commits: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('work' as const),
      workers: fc.integer({ min: 1, max: 3 }),
      crash: fc.constantFrom<Crash | null>(null, null, 'before sending', 'after sending'),
      status: fc.constantFrom(204, 204, 500, 302),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('wait' as const), seconds: fc.constantFrom(10, 90, 900) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('replay' as const) }) },
);

it('whatever crashes, each committed event arrives at least once with its id, and no other does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { key, accountId } = await harness.person();
      const { body } = await harness.request('POST', '/v1/webhooks', {
        key,
        json: { url: receiver.url, events: ['key.expiring'] },
      });
      const { id, secret } = body as { id: string; secret: string };
      receiver.accepted.length = 0;
      receiver.received.length = 0;
      const committed = new Set<string>();
      for (const [index, each] of steps.entries()) {
        if (each.act === 'emit') await emit(accountId, `key_${index}`, each.commits, committed);
        else if (each.act === 'wait') await advanceWebhooks(harness, each.seconds);
        else if (each.act === 'replay')
          await harness.request('POST', `/v1/webhooks/${id}/replay-failed`, { key });
        else await work(each);
      }
      await finish(id);
      const events = receiver.accepted.map((webhook) => ({
        id: webhook.headers['webhook-id'],
        keyId: verifyWebhook(webhook, secret).data.key_id as string,
      }));
      expect(new Set(events.map(({ keyId }) => keyId))).toEqual(committed);
      expect(new Set(events.map((event) => `${event.id} ${event.keyId}`)).size).toBe(committed.size);
      expect(await countPending(id)).toBe(0);
    }),
    { numRuns: 5 },
  );
});

async function emit(accountId: string, keyId: string, commits: boolean, committed: Set<string>) {
  const data = { key_id: keyId, name: 'test', key_prefix: 'tg_live_', expires_at: new Date().toISOString() };
  await harness.runtime.db
    .transaction(async (tx) => {
      await emitWebhook(tx, { accountId, type: 'key.expiring', data, dedupe: keyId });
      if (!commits) throw ROLLED_BACK;
    })
    .catch((error) => {
      if (error !== ROLLED_BACK) throw error;
    });
  if (commits) committed.add(keyId);
}

/** Several workers send what is due at once; one of them may die. */
async function work(how: { workers: number; crash: Crash | null; status: number }) {
  receiver.mode = { status: how.status };
  crash = how.crash;
  const due = await harness.runtime.sql<{ id: string }[]>`
    select id from webhook_deliveries where state = 'pending' order by id`;
  const deliver = async () => {
    const runtime = createMortalRuntime();
    for (const { id } of due)
      await deliverWebhook(runtime, id).catch((error) => {
        if (!(error instanceof Died)) throw error;
      });
  };
  await Promise.all(Array.from({ length: how.workers }, deliver));
  crash = null;
}

/** The receiver works again, and time passes: leases expire, what the queue lost is found. */
async function finish(endpointId: string) {
  receiver.mode = { status: 204 };
  const { sql } = harness.runtime;
  for (let round = 0; round < 4; round++) {
    await advanceWebhooks(harness, LONG_SECONDS);
    await sql`update webhook_deliveries set queued_at = null`;
    await requeueWebhooks(harness.runtime);
    if ((await countPending(endpointId)) > 0)
      expect(await sql`select 1 from webhook_deliveries where queued_at is not null`).not.toHaveLength(0);
    await deliverDue(harness);
  }
}

async function countPending(endpointId: string): Promise<number> {
  const [row] = await harness.runtime.sql<{ n: number }[]>`
    select count(*)::int as n from webhook_deliveries where holder_id = ${endpointId} and state = 'pending'`;
  return row?.n ?? 0;
}
