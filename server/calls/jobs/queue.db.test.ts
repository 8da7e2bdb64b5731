import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { arrayLiteral } from '@/db/array-literal';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { newId } from '../../kit/ids';
import { requeueCall, takeLostCall, takeQueuedCalls } from './queue-store';

const probe = createProbe();
let base: Harness;
let keyId: string;
let accountId: string;
beforeAll(async () => {
  base = await startHarness({ role: 'command', tools: [probe.tool] });
  ({ keyId, accountId } = await base.person());
});
afterAll(() => base.close());

const sql = () => base.runtime.sql;
const take = async (limit: number, { fence = 'worker', running = [] as string[] } = {}) =>
  (await takeQueuedCalls(sql(), { fence, leaseSeconds: 90 }, { limit, running })).map(({ id }) => id);

const takeLost = async () =>
  (await takeLostCall(sql(), { fence: 'worker', leaseSeconds: 90 })).map(({ id }) => id);

/** Inserts calls that wait, the first one longest, as admit_calls writes them. */
async function enqueue(count: number, { prefix = 'call_q', account = accountId } = {}): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(6, '0')}`);
  await sql()`
    insert into calls (id, key_id, account_id, billing, tool, skill, hold_microusd, fence, lease_expires_at, created_at)
    select id, ${keyId}, ${account}, 'personal', 'probe', 'queued', 0, 'queue',
      clock_timestamp() + make_interval(secs => 900 + n * 0.001), clock_timestamp()
    from unnest(${arrayLiteral(ids)}::text[]) with ordinality i(id, n)`;
  await sql()`
    insert into jobs (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, input, created_at)
    select 'job_' || id, id, account_id, key_id, billing, tool, skill, 'pending', true, true, '{}', created_at from calls
    where id = any(${arrayLiteral(ids)}::text[])`;
  await sql()`update api_keys set running = running + ${count} where id = ${keyId}`;
  return ids;
}

describe('queued calls', () => {
  afterEach(async () => {
    await sql()`delete from calls`;
    await sql()`delete from jobs`;
    await sql()`update api_keys set running = 0 where id = ${keyId}`;
  });

  it('are taken once, by four workers at a time, and by each in the order of the queue @E8', async () => {
    const limits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    const workers = fc.array(limits, { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), workers, async (count, chosen) => {
        await sql()`delete from calls`;
        await sql()`delete from jobs`;
        const ids = await enqueue(count);
        const work = async (each: number[], worker: number) => {
          const taken: string[] = [];
          for (let turn = 0; ; turn++) {
            const next = await take(each[turn % each.length] as number, { fence: `worker ${worker}` });
            const [left] = await sql()`select 1 from calls where fence = 'queue'`;
            if (next.length === 0 && !left) return taken;
            taken.push(...next);
          }
        };
        const taken = await Promise.all(chosen.map(work));
        for (const each of taken) expect(each).toEqual([...each].sort());
        expect(taken.flat().sort()).toEqual(ids);
        expect(await sql()`select attempts, count(*)::int as n from jobs group by 1`).toEqual([
          { attempts: 1, n: count },
        ]);
      }),
      { numRuns: 8 },
    );
  });

  it('of an account wait behind those of accounts with fewer that run, however many wait', async () => {
    const flood = await enqueue(1_000, { prefix: 'call_a' });
    const second = await enqueue(3, { prefix: 'call_b', account: 'acct_second' });
    const third = await enqueue(1, { prefix: 'call_c', account: 'acct_third' });
    const running = Array<string>(4).fill(accountId);
    expect(await take(1, { running })).toEqual(second.slice(0, 1));
    running.push('acct_second');
    expect((await take(3, { running })).sort()).toEqual([...second.slice(1), ...third]);
    expect(await take(2, { running })).toEqual(flood.slice(0, 2));
  });

  it('of several accounts are taken in turns, those that have waited longest first', async () => {
    const ids = [
      await enqueue(5, { prefix: 'call_a' }),
      await enqueue(5, { prefix: 'call_b', account: 'acct_second' }),
    ];
    expect((await take(5)).sort()).toEqual([...(ids[0] ?? []).slice(0, 3), ...(ids[1] ?? []).slice(0, 2)]);
  });

  it('are taken although other workers take the same turns', async () => {
    await enqueue(100, { prefix: 'call_a' });
    await enqueue(5, { prefix: 'call_b', account: 'acct_second' });
    await sql().begin(async (tx) => {
      await tx`select 1 from calls where id like 'call_b%' or id < 'call_a000003' for update`;
      expect(await take(10)).toHaveLength(10);
    });
  });

  it('that were requeued wait behind the others', async () => {
    const [first, ...others] = await enqueue(3);
    expect(await take(1)).toEqual([first]);
    await sql()`update calls set lease_expires_at = lease_expires_at - interval '1 second' where fence = 'queue'`;
    expect(await requeueCall(sql(), first as string, 'worker', 'handed over')).toBe(true);
    expect((await take(2)).sort()).toEqual(others);
    expect(await take(2)).toEqual([first]);
  });

  it('that have waited too long are not taken, and the reaper ends them', async () => {
    const [late, other] = await enqueue(2);
    await sql()`update calls set lease_expires_at = now() - interval '1 second' where id = ${late as string}`;
    expect(await take(2)).toEqual([other]);
    await reapElsewhere(base.runtime);
    expect(await sql()`select error from jobs where call_id = ${late as string}`).toEqual([
      { error: 'No worker took the call in time.' },
    ]);
  });

  it('that were lost twice stop no others, and are taken one by one @E8', async () => {
    const lost = await enqueue(12);
    const others = await enqueue(4, { prefix: 'call_r' });
    await sql()`update jobs set attempts = 2 where call_id = any(${lost})`;
    const taken: string[] = [];
    for (let turn = 0; turn < 6; turn++) taken.push(...(await take(3)));
    expect(taken).toEqual(others);
    for (const call of lost) expect(await takeLost()).toEqual([call]);
    expect(await takeLost()).toEqual([]);
  });

  it('that were lost twice take turns of accounts: one of an account with few is not behind a hundred @F7', async () => {
    const flood = await enqueue(100, { prefix: 'call_a' });
    const single = await enqueue(1, { prefix: 'call_b', account: 'acct_second' });
    await sql()`update jobs set attempts = 2`;
    for (let turn = 0; turn < 11; turn++) expect(await take(10)).toEqual([]);
    expect(await takeLost()).toEqual(single);
    expect(await takeLost()).toEqual(flood.slice(0, 1));
  });

  it('that were lost twice are cancelled, end after the longest wait, and keep their attempts @E8', async () => {
    const [waiting, late, handed] = await enqueue(3);
    await sql()`update jobs set attempts = 2`;
    expect(await take(3)).toEqual([]);
    await sql()`update calls set lease_expires_at = now() - interval '1 second' where id = ${late as string}`;
    await reapElsewhere(base.runtime);
    expect(await sql()`select call_id, attempts from jobs where status = 'failed'`).toEqual([
      { call_id: late, attempts: 2 },
    ]);
    expect(await takeLost()).toEqual([waiting]);
    expect(await takeLost()).toEqual([handed]);
    expect(await requeueCall(sql(), handed as string, 'worker', 'handed over')).toBe(true);
    expect(await take(3)).toEqual([]);
    expect(await takeLost()).toEqual([handed]);
    expect(await sql()`select attempts from jobs where call_id = ${handed as string}`).toEqual([
      { attempts: 3 },
    ]);
  });

  it('fail only themselves if they end each process that runs them: their neighbours complete @E8', async () => {
    const calls = await enqueue(33);
    const lethal = calls.filter((_, n) => n % 11 === 5);
    for (;;) {
      const first = await take(10);
      const taken = first.length > 0 ? first : await takeLost();
      if (taken.length === 0) break;
      if (!taken.some((id) => lethal.includes(id))) {
        await sql()`delete from calls where id = any(${taken})`;
        await sql()`update jobs set status = 'completed', result = '{}', finished_at = now() where call_id = any(${taken})`;
      } else {
        await sql()`update calls set lease_expires_at = now() - interval '1 second' where id = any(${taken})`;
        await reapElsewhere(base.runtime);
      }
    }
    const failed = await sql()`select call_id from jobs where status = 'failed' order by 1`;
    expect(failed.map(({ call_id }) => call_id)).toEqual(lethal);
    expect(await sql()`select 1 from jobs where status = 'completed'`).toHaveLength(30);
  });

  it('that a worker hands over have not used up an attempt', async () => {
    const [call] = (await enqueue(1)) as [string];
    for (let turn = 0; turn < 5; turn++) {
      expect(await take(1)).toEqual([call]);
      expect(await requeueCall(sql(), call, 'worker', 'handed over')).toBe(true);
    }
    expect(await sql()`select attempts from jobs`).toEqual([{ attempts: 0 }]);
  });

  it('that another transaction has locked are passed over without a wait', async () => {
    const [call, job, other] = await enqueue(3);
    await sql().begin(async (tx) => {
      await tx`select 1 from calls where id = ${call as string} for update`;
      await tx`select 1 from jobs where call_id = ${job as string} for update`;
      expect(await take(3)).toEqual([other]);
    });
    expect(await take(3)).toEqual([call, job]);
  });

  /** Rows that a take reads; it is undone. */
  async function countReads(
    limit: number,
    running: string[] = [],
  ): Promise<{ reads: number; ids: string[] }> {
    const undone = new Error('undone');
    let counted = { reads: 0, ids: [] as string[] };
    const taking = sql().begin(async (tx) => {
      const read = async () => {
        const [row] = await tx<{ reads: number }[]>`
          select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as reads
          from pg_stat_xact_user_tables where relname in ('calls', 'jobs')`;
        return row?.reads ?? 0;
      };
      const before = await read();
      const taken = await takeQueuedCalls(tx, { fence: 'worker', leaseSeconds: 90 }, { limit, running });
      counted = { reads: (await read()) - before, ids: taken.map(({ id }) => id) };
      throw undone;
    });
    await taking.catch((error) => expect(error).toBe(undone));
    return counted;
  }

  it('cost as many reads of 10,000 that wait as of 1,000', async () => {
    const few = await enqueue(1_000);
    await sql()`analyze calls, jobs`;
    const ofFew = await countReads(10);
    await enqueue(9_000, { prefix: 'call_r' });
    await sql()`analyze calls, jobs`;
    const ofMany = await countReads(10);
    expect([ofFew.ids, ofMany.ids]).toEqual([few.slice(0, 10), few.slice(0, 10)]);
    expect(ofMany.reads).toBeLessThan(ofFew.reads * 1.1);
    // 11 to see whether all fit, the 50 that have waited longest, and about 5 for each taken.
    expect(ofMany.reads).toBeLessThan(130);
  });

  it('cost as many reads of 10,000 accounts as of 1,000, and those that have waited longest come first', async () => {
    const few = await enqueue(1_000, { prefix: 'call_q0' });
    const spread = () =>
      sql()`update calls set account_id = 'acct_' || md5(id) where account_id = ${accountId}`;
    await spread();
    await sql()`analyze calls, jobs`;
    const running = ['acct_7'];
    const ofFew = await countReads(10, running);
    await enqueue(9_000, { prefix: 'call_r' });
    await spread();
    await sql()`analyze calls, jobs`;
    const ofMany = await countReads(10, running);
    expect([ofFew.ids.toSorted(), ofMany.ids.toSorted()]).toEqual([few.slice(0, 10), few.slice(0, 10)]);
    expect(ofMany.reads).toBeLessThan(ofFew.reads * 1.2);
  });

  it('of each of 300 accounts are taken before the rest of a flood that came first', async () => {
    await enqueue(1_000, { prefix: 'call_a' });
    const others = await enqueue(300, { prefix: 'call_b', account: 'acct_many' });
    await sql()`update calls set account_id = 'acct_' || md5(id) where account_id = 'acct_many'`;
    const taken: string[] = [];
    let running = [accountId];
    while (taken.length < others.length) {
      const calls = await takeQueuedCalls(
        sql(),
        { fence: 'worker', leaseSeconds: 90 },
        { limit: 10, running },
      );
      taken.push(...calls.map(({ id }) => id));
      running = [accountId, ...calls.map((call) => call.accountId)];
    }
    expect(taken.toSorted()).toEqual(others);
  });
});

describe('a worker', () => {
  const startWorker = () =>
    startHarness({ role: 'web', tools: [probe.tool], env: { JOB_CONCURRENCY: '10' }, peer: base });
  const send = (harness: Harness, key: string, id: string) =>
    harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'probe', skill: 'queued_paid', input: { id } },
      headers: { prefer: 'wait=0' },
    });

  it('is notified of a call in the transaction that queues it, and of one that returns', async () => {
    const topics: string[] = [];
    const { unlisten } = await sql().listen('gateway', (topic) => void topics.push(topic));
    const { key } = await base.person(1_000_000n);
    const { body } = await send(base, key, newId('request'));
    await expect.poll(() => topics.filter((topic) => topic === 'queue')).toHaveLength(1);
    await sql()`update calls set fence = 'worker' where id = ${body.id}`;
    await requeueCall(sql(), body.id, 'worker', 'handed over');
    await expect.poll(() => topics.filter((topic) => topic === 'queue')).toHaveLength(2);
    await unlisten();
    await sql()`delete from calls where id = ${body.id}`;
  });

  it('runs a call whose notice was lost', async () => {
    const { key } = await base.person(1_000_000n);
    const id = newId('request');
    const { body } = await send(base, key, id);
    await sql()`update calls set fence = 'away' where id = ${body.id}`;
    const worker = await startWorker();
    // It runs another one first, so it listens and has found nothing else.
    const first = newId('request');
    await send(worker, key, first);
    await probe.waitUntilStarted(first);
    await sql()`update calls set fence = 'queue' where id = ${body.id}`;
    await probe.waitUntilStarted(id);
    probe.release(id, first);
    await worker.close();
    expect(await sql()`select 1 from calls`).toHaveLength(0);
  });

  it('has ended its calls when it has stopped, however many finish at once', async () => {
    for (let round = 0; round < 2; round++) {
      const worker = await startWorker();
      const people = await Promise.all(Array.from({ length: 10 }, () => worker.person(1_000_000n)));
      const ids = people.map(() => newId('request'));
      for (const [at, { key }] of people.entries()) await send(worker, key, ids[at] as string);
      await probe.waitUntilStarted(...ids);
      probe.release(...ids);
      await worker.close();
      expect(await sql()`select 1 from calls`).toHaveLength(0);
    }
  });

  it('starts without an error', async () => {
    const worker = await startWorker();
    const { key } = await worker.person(1_000_000n);
    const id = newId('request');
    await send(worker, key, id);
    await probe.waitUntilStarted(id);
    probe.release(id);
    await worker.close();
    expect(worker.log.filter((line) => line.includes('queue.failed'))).toEqual([]);
  });
});
