import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { deliverWebhook } from './deliver-webhook';
import { insertTestEvent } from './delivery-log-store';
import { advanceWebhooks, createWebhook } from './testing/webhook-fixture';

// The places of deliveries over random sequences of events, workers, answers and time limits. The
// receivers are promises that a step answers, so nothing depends on time.

const CLAIMED = 3;
const ENDPOINTS_OF_CLAIMED = 3;
const UNCLAIMED = 6;
/** The most requests in flight, of an endpoint, an account, and all accounts without a person. */
const MOST = { endpoint: 2, account: 4, unclaimedAccount: 1, unclaimed: 4, failingEndpoint: 1, failing: 6 };
const LONG_SECONDS = 86_400;

interface Endpoint {
  id: string;
  accountId: string;
  isClaimed: boolean;
}

interface Request {
  endpoint: Endpoint;
  eventId: string;
  answer(status: number): void;
}

let harness: Harness;
const endpoints: Endpoint[] = [];
const inFlight = new Set<Request>();
const delivered: string[] = [];
let working = 0;
const failures: unknown[] = [];

beforeAll(async () => {
  const env = { PROVISION_PER_HOUR: '100', PROVISION_PER_DAY: '100', OUTBOUND_ALLOW: '127.0.0.1:9' };
  harness = await startHarness({ role: 'command', env });
  const add = async (key: string, accountId: string, isClaimed: boolean) => {
    const { id } = await createWebhook(harness, key, 'http://127.0.0.1:9/', ['job.completed']);
    await harness.runtime
      .sql`update webhook_endpoints set url = ${`http://127.0.0.1:9/${id}`} where id = ${id}`;
    endpoints.push({ id, accountId, isClaimed });
  };
  for (let i = 0; i < CLAIMED; i++) {
    const { key, accountId } = await harness.person();
    for (let n = 0; n < ENDPOINTS_OF_CLAIMED; n++) await add(key, accountId, true);
  }
  for (let i = 0; i < UNCLAIMED; i++) {
    const { body } = await harness.request('POST', '/v1/auth/provision');
    await add(body.api_key, body.account_id, false);
  }
});
afterAll(() => harness?.close());

/** A receiver that answers when a step says so, with status 0 for a time limit. */
const outbound: Harness['runtime']['ports']['outbound'] = (url, init) =>
  new Promise((resolve, reject) => {
    const id = new URL(String(url)).pathname.slice(1);
    const endpoint = endpoints.find((each) => each.id === id) as Endpoint;
    const eventId = new Headers(init?.headers).get('webhook-id') ?? '';
    const request: Request = {
      endpoint,
      eventId,
      answer(status) {
        inFlight.delete(request);
        if (status === 0) return reject(new Error('The receiver did not answer in time'));
        if (status === 204) delivered.push(eventId);
        resolve(new Response(null, { status }));
      },
    };
    inFlight.add(request);
  });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('emit' as const),
      endpoint: fc.nat({ max: CLAIMED * ENDPOINTS_OF_CLAIMED + UNCLAIMED - 1 }),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('work' as const), workers: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('answer' as const),
      status: fc.constantFrom(204, 204, 500, 0),
      which: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('retry' as const) }) },
);

it('no sequence gives an endpoint, account or class more than its places, or leaves one without @C16', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      await reset();
      const emitted = new Set<string>();
      for (const each of steps) {
        if (each.act === 'emit') await emit(endpoints[each.endpoint] as Endpoint, each.count, emitted);
        else if (each.act === 'retry') await makeRetriesDue();
        else if (each.act === 'answer')
          for (const which of each.which)
            [...inFlight][which % Math.max(1, inFlight.size)]?.answer(each.status);
        else await work(each.workers);
        await settle();
        expectBounds();
      }
      await finish();
      expect(new Set(delivered)).toEqual(emitted);
      expect(delivered).toHaveLength(emitted.size);
    }),
    { numRuns: 6 },
  );
});

async function reset(): Promise<void> {
  const { sql } = harness.runtime;
  await sql`delete from webhook_deliveries`;
  await sql`update webhook_endpoints set failing_since = null, disabled_at = null`;
  delivered.length = 0;
}

async function emit({ id, accountId }: Endpoint, count: number, emitted: Set<string>): Promise<void> {
  const { db, sql } = harness.runtime;
  for (let n = 0; n < count; n++) {
    const deliveryId = await insertTestEvent(db, { accountId, endpointId: id });
    const [row] = await sql<
      { event_id: string }[]
    >`select event_id from webhook_deliveries where id = ${deliveryId}`;
    if (row) emitted.add(row.event_id);
  }
}

/** Failed deliveries become due; the leases of those in flight stay as they are. */
async function makeRetriesDue(): Promise<void> {
  await harness.runtime.sql`
    update webhook_deliveries set next_attempt_at = clock_timestamp() - interval '1 second' where state = 'pending'`;
}

/** Several workers try to send all that is due, at once. */
async function work(workers: number): Promise<void> {
  const { runtime } = harness;
  const due = await runtime.sql<{ id: string; holder_id: string; is_failing: boolean }[]>`
    select d.id, d.holder_id, exists (select 1 from webhook_deliveries f where f.holder_id = d.holder_id
      and f.state = 'pending' and f.attempts > 0) as is_failing
    from webhook_deliveries d where d.state = 'pending' and d.next_attempt_at <= clock_timestamp() order by d.id`;
  const failing = new Set(due.filter((each) => each.is_failing).map((each) => each.holder_id));
  const isFailing = ({ endpoint }: Request) => endpoint.isClaimed && failing.has(endpoint.id);
  const before = [...inFlight];
  for (let worker = 0; worker < workers; worker++)
    for (const { id } of due)
      start(deliverWebhook({ ...runtime, ports: { ...runtime.ports, outbound } }, id));
  await settle();
  const started = [...inFlight].filter((request) => !before.includes(request) && isFailing(request));
  if (started.length > 0)
    expect([...inFlight].filter(isFailing).length).toBeLessThanOrEqual(
      Math.max(MOST.failing, before.filter(isFailing).length),
    );
  for (const { endpoint } of started)
    expect(started.filter((other) => other.endpoint === endpoint).length).toBeLessThanOrEqual(
      MOST.failingEndpoint,
    );
  expectNoneLeftOut(
    due.map(({ holder_id }) => holder_id),
    failing,
  );
}

/** After workers have tried everything: a place that is free is one that nobody waits for. */
function expectNoneLeftOut(due: readonly string[], failing: ReadonlySet<string>): void {
  for (const endpoint of endpoints.filter(
    ({ id, isClaimed }) => isClaimed && due.includes(id) && !failing.has(id),
  ))
    if (countOf((each) => each.accountId === endpoint.accountId) < MOST.account)
      expect(countOf((each) => each === endpoint)).toBeGreaterThan(0);
  const unclaimed = endpoints.filter(({ id, isClaimed }) => !isClaimed && due.includes(id)).length;
  expect(countOf((each) => !each.isClaimed)).toBeGreaterThanOrEqual(Math.min(MOST.unclaimed, unclaimed));
}

function expectBounds(): void {
  expect(failures).toEqual([]);
  for (const { accountId, isClaimed } of endpoints)
    expect(countOf((each) => each.accountId === accountId)).toBeLessThanOrEqual(
      isClaimed ? MOST.account : MOST.unclaimedAccount,
    );
  for (const endpoint of endpoints)
    expect(countOf((each) => each === endpoint)).toBeLessThanOrEqual(MOST.endpoint);
  expect(countOf((each) => !each.isClaimed)).toBeLessThanOrEqual(MOST.unclaimed);
  const events = [...inFlight].map(({ eventId }) => eventId);
  expect(new Set(events).size).toBe(events.length);
}

function countOf(fits: (endpoint: Endpoint) => boolean): number {
  return [...inFlight].filter(({ endpoint }) => fits(endpoint)).length;
}

function start(delivery: Promise<void>): void {
  working += 1;
  delivery
    .catch((error) => failures.push(error))
    .finally(() => {
      working -= 1;
    });
}

/** Waits until all workers have ended or wait for a receiver. */
async function settle(): Promise<void> {
  await expect.poll(() => working === inFlight.size, { interval: 2, timeout: 60_000 }).toBe(true);
}

/** All receivers work again: everything is delivered, once. */
async function finish(): Promise<void> {
  for (;;) {
    for (const request of inFlight) request.answer(204);
    await settle();
    if (inFlight.size > 0) continue;
    await advanceWebhooks(harness, LONG_SECONDS);
    const [left] = await harness.runtime.sql`select 1 from webhook_deliveries where state = 'pending'`;
    if (!left) return;
    await makeRetriesDue();
    await work(1);
  }
}
