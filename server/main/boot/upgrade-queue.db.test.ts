import { expect, it, onTestFinished } from 'vitest';
import { connect } from '@/db/client';
import released from '@/db/released.json';
import { createTestDatabase } from '@/test/support/database';
import { emptyDatabase, migrationsUpTo } from '@/test/support/migration-folder';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { takeQueuedCalls } from '../../calls/jobs/queue-store';
import { requeueOverdue, takeQueuedDeliveries } from '../../notifications/webhooks/delivery-store';
import { migrate } from '../../platform/database/migrate';

it('takes the calls and webhooks that waited when the release before was replaced', {
  timeout: 120_000,
}, async () => {
  const database = await createTestDatabase();
  const folder = await temporaryFolder();
  const pool = connect(database.url, 2, { patient: true });
  onTestFinished(async () => {
    await pool.close();
    await removeFolder(folder);
    await database.drop();
  });
  await emptyDatabase(database.url);
  await migrationsUpTo(released.migration, folder);
  await migrate(database.url, folder);
  const { sql, db } = pool;
  await sql`
    insert into calls (id, key_id, account_id, billing, tool, skill, hold_microusd, fence, lease_expires_at, created_at)
    select 'call_' || f, 'key', 'acc', 'personal', 'diagnostics', 'background', 0, f, now() + interval '900 s', now()
    from unnest(array['queue', 'a worker']) f`;
  await sql`
    insert into jobs (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, input, created_at)
    select 'job_' || id, id, account_id, key_id, billing, tool, skill, 'pending', true, true, '{}', created_at from calls`;
  await sql`
    insert into webhook_deliveries (id, account_id, holder_id, event_id, type, payload, expires_at, next_attempt_at)
    select 'dlv_' || n, 'acc', 'whe', 'msg_' || n, 'webhook.test', '{}', now() + interval '1 day',
      now() + make_interval(mins => n)
    from unnest(array[-1, 1]) n`;

  await migrate(database.url);
  const taken = await takeQueuedCalls(
    sql,
    { fence: 'a new worker', leaseSeconds: 90 },
    { limit: 10, running: [] },
  );
  expect(taken.map(({ id }) => id)).toEqual(['call_queue']);
  expect(await takeQueuedDeliveries(db, { limit: 10, running: [] })).toEqual([]);
  expect(await requeueOverdue(db, 15, 10)).toBe(1);
  expect(await takeQueuedDeliveries(db, { limit: 10, running: [] })).toMatchObject([{ id: 'dlv_-1' }]);
});
