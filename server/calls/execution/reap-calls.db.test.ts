import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '@/db/client';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { CallFixture } from '../testing/call-fixture';
import { MODEL_ATTEMPTS } from '../testing/call-model';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', env: { JOBS: 'external' } });
  await harness.runtime.running.drain(0);
});
afterAll(() => harness.close());

const untilReaperWaits = () =>
  expect
    .poll(async () => {
      const waiting = await harness.runtime.sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%reap_calls%'`;
      return waiting.length;
    })
    .toBeGreaterThan(0);

it('the reaper does not deadlock with a transaction that ends one of its calls', async () => {
  const fixture = await CallFixture.make(harness, 1000n, [null]);
  const [queued, plain] = [newId('call'), newId('call')];
  await fixture.openQueued(fixture.request(queued, 0, 10n), true);
  await fixture.start(queued);
  await fixture.open([fixture.request(plain, 0, 10n)]);
  for (const id of [queued, plain]) await fixture.expire(id);

  const other = connect(harness.runtime.settings.databaseUrl, 1);
  // As cancel_job does: locks the key, then the call that the reaper is about to requeue.
  await other.sql`begin`;
  await other.sql`select 1 from api_keys where id = ${fixture.keyIds[0] as string} for no key update`;
  const reaped = fixture.reap();
  await untilReaperWaits();
  await other.sql`select 1 from calls where id = ${queued} for update`;
  await other.sql`commit`;
  expect(await reaped).toBe(2);
  await other.close();
  expect((await fixture.readSnapshot()).keys[0]).toMatchObject({ running: 1 });
});

it('a lost call is requeued while its worker still writes a log line', async () => {
  const fixture = await CallFixture.make(harness, 1000n, [null]);
  const id = newId('call');
  await fixture.openQueued(fixture.request(id, 0, 10n), true);
  await fixture.start(id);
  await fixture.expire(id);
  const other = connect(harness.runtime.settings.databaseUrl, 1);
  // As the worker does: locks its job and writes a line that is not committed yet.
  await other.sql`begin`;
  await other.sql`select 1 from jobs where call_id = ${id} for no key update`;
  await other.sql`insert into job_logs (job_id, seq, message, at)
    select j.id, 1, 'the last words of the worker', now() from jobs j where j.call_id = ${id}`;
  const reaped = fixture.reap();
  await untilReaperWaits();
  await other.sql`commit`;
  expect(await reaped).toBe(1);
  await other.close();
  const lines = await harness.runtime.sql<{ seq: number; message: string }[]>`
    select l.seq, l.message from job_logs l join jobs j on j.id = l.job_id where j.call_id = ${id} order by l.seq`;
  expect(lines.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(lines[0]?.message).toBe('the last words of the worker');
});

it('a lost queued call is restarted until it reaches the maximum number of attempts @E8', async () => {
  const fixture = await CallFixture.make(harness, 1000n, [null]);
  const id = newId('call');
  await fixture.openQueued(fixture.request(id, 0, 10n), true);
  for (let attempt = 1; attempt <= MODEL_ATTEMPTS; attempt++) {
    expect(await fixture.start(id)).toBe(true);
    await fixture.expire(id);
    expect(await fixture.reap()).toBe(1);
  }
  expect(await fixture.start(id)).toBe(false);
  expect(await fixture.readSnapshot()).toMatchObject({ held: 0n, balance: 1000n, jobs: { [id]: 'failed' } });
});
