import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { asAdmin } from '@/test/support/database';
import { type Harness, startHarness } from '@/test/support/harness';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { type RunningPostgres, startPostgres } from '../../main/boot/embedded-postgres/start-postgres';
import { reconcile } from '../../money/reconcile/reconcile';
import { migrate } from '../../platform/database/migrate';
import { waitUntilGone } from '../../platform/process/process-identity';
import { perCall } from '../../tools/sdk/define-tool';

const PRICE = 100n;
const CREDIT = 1_000_000n;
/** Without a crash at the wrong moment nothing is lost, so several are tried. */
const MAX_CRASHES = 8;
const input = z.object({ waits: z.boolean() });
const output = z.object({ ran: z.boolean() });

/** Ends the handlers that wait. */
let release = () => {};
let released: Promise<void>;
const hold = () => {
  released = new Promise((done) => {
    release = done;
  });
};

const writing = defineTestTool('writing', [
  defineTestSkill<z.infer<typeof input>, z.infer<typeof output>>({
    name: 'write',
    input,
    output,
    price: perCall(PRICE),
    annotations: { readOnly: false, idempotent: false, estimatedSeconds: 1 },
    run: async ({ input: { waits } }) => {
      if (waits) await released;
      return { output: { ran: true } };
    },
  }),
]);

let dataDir: string;
let postgres: RunningPostgres;
let harness: Harness;
beforeAll(async () => {
  dataDir = await temporaryFolder();
  postgres = await startPostgres({ dataDir, durable: true, log: () => undefined });
  // The log writer would write asynchronous commits within a fifth of a second.
  await asAdmin(postgres.adminUrl, async (sql) => {
    await sql`alter system set wal_writer_delay = '10s'`;
    await sql`select pg_reload_conf()`;
  });
  await migrate(postgres.url);
  hold();
  const env = { DATABASE_URL: postgres.url, JOBS: 'off', CONCURRENT_CALLS: '20', ...UNLIMITED_RATES };
  harness = await startHarness({ role: 'web', tools: [writing], env });
}, 120_000);
afterAll(async () => {
  release();
  await harness.close();
  await postgres.stop();
  await removeFolder(dataDir);
});

const call = (key: string, waits: boolean, idempotency?: string) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'writing', skill: 'write', input: { waits } },
    headers: idempotency === undefined ? {} : { 'idempotency-key': idempotency },
  });

const countOpen = async (keyId: string) =>
  (await harness.runtime.sql`select 1 from calls where key_id = ${keyId}`).length;

/** Kills the server and waits until its supervisor has started it again. */
async function crash(): Promise<void> {
  const before = postgres.pid();
  process.kill(before, 'SIGKILL');
  expect(await waitUntilGone(before, 60_000)).toBe(true);
  await expect
    .poll(() => asAdmin(postgres.url, async (sql) => (await sql`select 1`).length).catch(() => 0), {
      timeout: 60_000,
    })
    .toBe(1);
}

it('a crash of the database loses admissions of its last moments, and their calls cost nothing', async () => {
  const { key, keyId, accountId } = await harness.person(CREDIT);
  let charged = 0n;
  let lost = 0;
  for (let crashes = 0; lost === 0 && crashes < MAX_CRASHES; crashes++) {
    hold();
    // The same moment for all: a later durable commit would write the admissions before it.
    const running = Array.from({ length: 5 }, () => call(key, true));
    await expect.poll(() => countOpen(keyId), { interval: 1 }).toBe(running.length);
    await crash();
    const kept = await countOpen(keyId);
    lost += running.length - kept;
    release();
    const answers = await Promise.all(running);
    const paid = answers.filter(({ body }) => body.billed === true);
    expect(paid).toHaveLength(kept);
    for (const { status, body } of answers)
      if (status !== 200) expect(body.error).toMatchObject({ code: 'HANDLER_ERROR', billed: false });
    charged += BigInt(paid.length) * PRICE;
    expect(
      (
        await harness.runtime.sql`select a.balance_microusd as balance, a.held_microusd as held, k.running,
          (select count(*)::int from usage_records u where u.key_id = k.id) as records
          from accounts a join api_keys k on k.account_id = a.id where a.id = ${accountId}`
      )[0],
    ).toEqual({ balance: CREDIT - charged, held: 0n, running: 0, records: Number(charged / PRICE) });
  }
  expect(lost).toBeGreaterThan(0);
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  expect((await call(key, false)).status).toBe(200);
}, 300_000);

it('an admission with an Idempotency-Key survives the crash, so its call does not run again', async () => {
  const { key, keyId } = await harness.person(CREDIT);
  hold();
  const running = call(key, true, 'durable');
  await expect.poll(() => countOpen(keyId), { interval: 1 }).toBe(1);
  await crash();
  expect(await countOpen(keyId)).toBe(1);
  release();
  const answer = await running;
  expect(answer.body).toMatchObject({ status: 'success', billed: true });
  expect((await call(key, true, 'durable')).body).toEqual(answer.body);
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
}, 120_000);
