import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { runQueuedCall } from '@/test/support/run-queued-call';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { reconcile } from '../../money/reconcile/reconcile';
import { perCall, type ToolDefinition } from '../../tools/sdk/define-tool';

const PRICE = 100n;

/** The tool as it was when the call was queued, or as it is when it runs. */
function buildTool({ name = 'slow', price = PRICE, field = 'text' }): ToolDefinition {
  return defineTestTool(name, [
    defineTestSkill({
      name: 'run',
      input: z.strictObject({ [field]: z.string() }),
      output: z.object({ done: z.boolean() }),
      price: perCall(price),
      annotations: { readOnly: false, estimatedSeconds: 30 },
      run: async () => ({ output: { done: true } }),
    }),
  ]);
}

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [buildTool({})], env: { JOBS: 'external' } });
});
afterAll(() => harness.close());

/** Queues a call, then runs it where the tool is as given. */
async function runLater(tool: ToolDefinition) {
  const { runtime } = harness;
  const { key, accountId } = await harness.person(1_000n);
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key,
    headers: { prefer: 'wait=0' },
    json: { tool: 'slow', skill: 'run', input: { text: 'x' } },
  });
  const tools: typeof runtime.tools = Object.assign(Object.create(runtime.tools), {
    findTool: (name: string) => (name === tool.name ? tool : undefined),
    findSkill: () => tool.skills[0],
  });
  await runQueuedCall({ ...runtime, tools }, body.id);
  const { body: job } = await harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
  const [account] = await runtime.sql`
    select balance_microusd as balance, held_microusd as held from accounts where id = ${accountId}`;
  expect((await reconcile(runtime)).differences).toEqual([]);
  return { job, account };
}

describe('a call whose tool changed while it waited', () => {
  it.each([
    ['it is gone', buildTool({ name: 'other' }), /no longer has this tool or skill/],
    [
      'its input has another field',
      buildTool({ field: 'words' }),
      /^The skill changed while the call waited/,
    ],
  ])('%s: fails with the reason, and costs nothing', async (_, tool, reason) => {
    const { job, account } = await runLater(tool);
    expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(reason) });
    expect(account).toEqual({ balance: 1_000n, held: 0n });
  });

  it.each([PRICE - 40n, PRICE + 40n])('runs at the price at which it was queued, now %d', async (price) => {
    const { job, account } = await runLater(buildTool({ price }));
    expect(job.status).toBe('completed');
    expect(account).toEqual({ balance: 1_000n - PRICE, held: 0n });
  });
});
