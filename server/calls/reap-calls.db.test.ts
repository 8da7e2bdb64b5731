import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '@/db/client';
import { newId } from '../ids';
import { MODEL_ATTEMPTS } from '../testing/call-model';
import { CallWorld } from '../testing/call-world';
import { type Harness, startHarness } from '../testing/harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { JOBS: 'external' } });
  await harness.runtime.running.drain(0);
});
afterAll(() => harness.close());

it('the reaper and whoever ends one of its calls meanwhile do not wait for each other', async () => {
  const world = await CallWorld.make(harness, 1000n, [null]);
  const [queued, plain] = [newId('call'), newId('call')];
  await world.openQueued(world.request(queued, 0, 10n), true);
  await world.start(queued);
  await world.open([world.request(plain, 0, 10n)]);
  for (const id of [queued, plain]) await world.expire(id);

  const other = connect(harness.runtime.settings.databaseUrl, 1);
  // As cancel_job does: the key first, then the call, which the reaper is about to give back to the queue.
  await other.sql`begin`;
  await other.sql`select 1 from api_keys where id = ${world.keyIds[0] as string} for no key update`;
  const reaped = world.reap();
  const waits = () => harness.runtime.sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%reap_calls%'`;
  while ((await waits()).length === 0) await new Promise((done) => setTimeout(done, 5));
  await other.sql`select 1 from calls where id = ${queued} for update`;
  await other.sql`commit`;
  expect(await reaped).toBe(2);
  await other.close();
  expect((await world.look()).keys[0]).toMatchObject({ running: 1 });
});

it('a queued call that is lost is begun again, until it has been tried often enough', async () => {
  const world = await CallWorld.make(harness, 1000n, [null]);
  const id = newId('call');
  await world.openQueued(world.request(id, 0, 10n), true);
  for (let attempt = 1; attempt <= MODEL_ATTEMPTS; attempt++) {
    expect(await world.start(id)).toBe(true);
    await world.expire(id);
    expect(await world.reap()).toBe(1);
  }
  expect(await world.start(id)).toBe(false);
  expect(await world.look()).toMatchObject({ held: 0n, balance: 1000n, jobs: { [id]: 'failed' } });
});
