import { expect } from 'vitest';
import type { Harness } from '@/test/support/harness';

/** Polls until the job has ended. */
export async function pollUntilEnded(harness: Harness, key: string, jobId: string) {
  for (;;) {
    const { status, body } = await harness.request('GET', `/v1/jobs/${jobId}`, { key });
    if (status !== 200) throw new Error(`The poll was answered ${status}`);
    if (['completed', 'failed', 'cancelled'].includes(body.status)) return body;
  }
}

/** Cancels five jobs per round while they end: each is charged if and only if it completed. */
export async function checkCancelRaces(harness: Harness, rounds: number): Promise<void> {
  const pay = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.001 } };
  const start = (key: string) =>
    harness.request('POST', '/v1/tools/call', { key, json: pay, headers: { prefer: 'wait=0' } });
  const person = await harness.person(1_000_000n);
  let cancelledOnes = 0;
  for (let round = 0; round < rounds; round++) {
    const key = (await harness.addKey(person.accountId)).key;
    const started = await Promise.all([1, 2, 3, 4, 5].map(() => start(key)));
    const cancels = await Promise.all(
      started.map(({ body }) => harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key })),
    );
    for (const [index, { body }] of started.entries()) {
      const job = await pollUntilEnded(harness, key, body.job_id);
      const won = cancels[index]?.status === 200;
      cancelledOnes += won ? 1 : 0;
      expect(job.status).toBe(won ? 'cancelled' : 'completed');
    }
  }
  const { body } = await harness.request('GET', '/v1/billing/balance', { key: person.key });
  expect(body.available_usd).toBeCloseTo(1 - (5 * rounds - cancelledOnes) * 0.001, 9);
}
