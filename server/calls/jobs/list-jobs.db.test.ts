import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp } from '@/test/support/mcp-client';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { newId } from '../../kit/ids';
import type { JobList, JobSummary } from './schema';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', listen: true, env: UNLIMITED_RATES });
});
afterAll(() => harness.close());

const list = async (key: string, query: Record<string, string> = {}) =>
  await harness.request('GET', `/v1/jobs?${new URLSearchParams(query)}`, { key });

async function startJob(key: string, skill: string, input: object): Promise<string> {
  const json = { tool: 'diagnostics', skill, input };
  const { status, body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json,
    headers: { prefer: 'wait=0' },
  });
  expect(status).toBe(202);
  return body.job_id;
}

const idsOf = (jobs: readonly JobSummary[]) => jobs.map(({ job_id }) => job_id);

/** Writes a running job without a call. */
async function insertJob({ accountId, keyId }: { accountId: string; keyId: string }, atMs: number) {
  const id = newId('job', atMs);
  await harness.runtime.sql`
    insert into jobs (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, created_at)
    values (${id}, ${id.replace('job_', 'call_')}, ${accountId}, ${keyId}, 'personal', 'math', 'evaluate', 'running',
      false, false, ${new Date(atMs).toISOString()})`;
  return id;
}

describe('GET /v1/jobs', () => {
  it('lists jobs newest first, without logs and results, with the address of each', async () => {
    const { key, keyId } = await harness.person(1_000_000n);
    const done = await startJob(key, 'spend', { amount_usd: 0.25 });
    await harness.request('GET', `/v1/jobs/${done}`, { key });
    const slow = await startJob(key, 'sleep', { seconds: 60 });
    const { status, body } = await list(key);
    expect(status).toBe(200);
    expect(body.jobs).toMatchObject([
      { job_id: slow, status: 'running', cost_usd: null, finished_at: null },
      {
        job_id: done,
        call_id: done.replace('job_', 'call_'),
        tool: 'diagnostics',
        skill: 'spend',
        status: 'completed',
        cost_usd: 0.25,
        key_id: keyId,
        billing: 'personal',
        error: null,
        error_code: null,
        poll_url: `${harness.baseUrl}/v1/jobs/${done}`,
      },
    ]);
    for (const job of body.jobs)
      for (const field of ['logs', 'result', 'output']) expect(job).not.toHaveProperty(field);
    await harness.request('POST', `/v1/jobs/${slow}/cancel`, { key });
    expect(idsOf((await list(key, { status: 'cancelled' })).body.jobs)).toEqual([slow]);
    expect(idsOf((await list(key, { status: 'completed', tool: 'diagnostics' })).body.jobs)).toEqual([done]);
    expect((await list(key, { tool: 'math' })).body).toEqual({ jobs: [], next_cursor: null });
  });

  it('shows a restricted key its own jobs only, and no key those of another account @F22', async () => {
    const person = await harness.person(1_000_000n);
    const restricted = await harness.addKey(person.accountId, 500_000n);
    const other = await harness.person();
    const [own, siblings] = [
      await insertJob({ ...person, ...restricted }, Date.now()),
      await insertJob(person, Date.now()),
    ];
    expect(idsOf((await list(person.key)).body.jobs).sort()).toEqual([own, siblings].sort());
    expect(idsOf((await list(person.key, { key_id: restricted.keyId })).body.jobs)).toEqual([own]);
    expect(idsOf((await list(restricted.key)).body.jobs)).toEqual([own]);
    expect((await list(restricted.key, { key_id: person.keyId })).status).toBe(404);
    expect((await list(other.key)).body.jobs).toEqual([]);
    expect((await list(other.key, { key_id: person.keyId })).status).toBe(404);
  });

  it('refuses a malformed limit, status and cursor', async () => {
    const { key } = await harness.person();
    for (const query of [{ limit: '0' }, { limit: '501' }, { status: 'ended' }, { cursor: 'x' }])
      expect([query, (await list(key, query)).status]).toEqual([query, 400]);
    const cursorOfACall = Buffer.from(newId('call')).toString('base64url');
    expect((await list(key, { cursor: cursorOfACall })).status).toBe(400);
  });

  it('pages list every job that stays exactly once, whatever starts, ends or is deleted in between', async () => {
    const { sql } = harness.runtime;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.record({ act: fc.constantFrom('start', 'end', 'delete'), at: fc.nat() }), {
          maxLength: 8,
        }),
        async (count, limit, changes) => {
          const person = await harness.person();
          const now = Date.now();
          const first: string[] = [];
          for (let i = 0; i < count; i++) first.push(await insertJob(person, now - 10_000 + i));
          const deleted = new Set<string>();
          const seen: string[] = [];
          let cursor: string | null = null;
          do {
            const query: Record<string, string> = { limit: String(limit), ...(cursor ? { cursor } : {}) };
            const page: JobList = (await list(person.key, query)).body;
            expect(page.jobs.length).toBeLessThanOrEqual(limit);
            seen.push(...idsOf(page.jobs));
            cursor = page.next_cursor;
            const change = changes.shift();
            const target = first[(change?.at ?? 0) % Math.max(1, first.length)] ?? '';
            if (change?.act === 'start') await insertJob(person, Date.now());
            if (change?.act === 'end')
              await sql`update jobs set status = 'failed', error = 'x', finished_at = now() where id = ${target}`;
            if (change?.act === 'delete') {
              deleted.add(target);
              await sql`delete from jobs where id = ${target}`;
            }
          } while (cursor);
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen.filter((id) => !deleted.has(id))).toEqual(
            first.filter((id) => !deleted.has(id)).reverse(),
          );
        },
      ),
      { numRuns: 8 },
    );
  });

  it('is list_jobs over MCP', async () => {
    const person = await harness.person();
    const ids = [await insertJob(person, Date.now() - 2), await insertJob(person, Date.now())];
    const client = await connectMcp(harness.baseUrl, '2026-07-28', person.key);
    try {
      const page = (await client.callTool('list_jobs', { limit: 1 })).structuredContent;
      expect(idsOf(page.jobs)).toEqual([ids[1]]);
      const rest = (await client.callTool('list_jobs', { cursor: page.next_cursor })).structuredContent;
      expect([idsOf(rest.jobs), rest.next_cursor]).toEqual([[ids[0]], null]);
    } finally {
      await client.close();
    }
  });
});
