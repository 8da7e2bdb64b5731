import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { answerCron } from './cron-route';

const SECRET = 'a-secret-of-the-scheduler-0123456789';
let gateway: Harness;
let without: Harness;
beforeAll(async () => {
  gateway = await startHarness({ role: 'command', env: { CRON_SECRET: SECRET } });
  without = await startHarness({ role: 'command', peer: gateway });
});
afterAll(async () => {
  await without.close();
  await gateway.close();
});

const ask = (round: string, bearer: string | null, harness = gateway) =>
  answerCron(
    new Request(`http://gateway.test/api/cron/${round}`, {
      headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
    }),
    round,
    harness.runtime,
  );

it('refuses a scheduler without the secret, and changes nothing', async () => {
  for (const bearer of [null, '', `${SECRET}x`, SECRET.slice(1)]) {
    const answer = await ask('minute', bearer);
    expect(answer.status).toBe(401);
    expect((await answer.json()).error).toMatchObject({ code: 'AUTH_FAILED' });
  }
  expect((await ask('minute', 'undefined', without)).status).toBe(404);
  expect((await ask('toString', SECRET)).status).toBe(404);
});

it('ends calls of a lost process in the minute round', async () => {
  const { accountId, keyId } = await gateway.person(1_000_000n);
  const { sql } = gateway.runtime;
  await sql`
    insert into calls (id, key_id, account_id, billing, tool, skill, hold_microusd, fence, lease_expires_at, created_at)
    values ('call_lost', ${keyId}, ${accountId}, 'personal', 'diagnostics', 'echo', 0, 'gone', now() - interval '1 minute', now())`;
  await sql`update api_keys set running = 1 where id = ${keyId}`;
  const answer = await ask('minute', SECRET);
  expect([answer.status, await answer.json()]).toEqual([
    200,
    {
      round: 'minute',
      done: {
        lost_calls: 'done',
        reloads: 'done',
        mails: 'done',
        topups: 'done',
        checkouts: 'done',
        events: 'done',
        expiring_keys: 'done',
        webhooks: 'done',
        reconcile: 'done',
        status: 'done',
        alerts: 'done',
      },
    },
  ]);
  const runs = await sql`select name from background_jobs where started_at is not null`;
  expect(runs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mails', 'events', 'status', 'alerts']),
  );
  expect(await sql`select id from calls`).toHaveLength(0);
  expect((await sql`select running from api_keys where id = ${keyId}`)[0]?.running).toBe(0);
});

it('deletes expired data in the hour round', async () => {
  const { sql } = gateway.runtime;
  await sql`
    insert into verification_tokens (identifier, token, expires)
    values ('ada@example.test', 'old', now() - interval '2 days')`;
  const answer = await ask('hour', SECRET);
  expect([answer.status, (await answer.json()).done]).toEqual([200, { sweep: 'done' }]);
  expect(await sql`select 1 from verification_tokens`).toHaveLength(0);
  expect(await sql`select 1 from background_jobs where name = 'sweep' and ok`).toHaveLength(1);
});
