import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../ids';
import { type Harness, startHarness } from '../testing/harness';
import { createProbe } from '../testing/probe-tool';

const probe = createProbe();
let base: Harness;
beforeAll(async () => {
  base = await startHarness({ role: 'command' });
});
afterAll(() => base.close());

it('what has ended is out of the queue when its worker has stopped, however many end at once', async () => {
  for (let round = 0; round < 5; round++) {
    const worker = await startHarness({
      tools: [probe.tool],
      env: { JOB_CONCURRENCY: '10' },
      beside: base,
    });
    const people = await Promise.all(Array.from({ length: 10 }, () => worker.person(1_000_000n)));
    const ids = people.map(() => newId('request'));
    for (const [at, { key }] of people.entries())
      await worker.ask('POST', '/v1/tools/call', {
        key,
        json: { tool: 'probe', skill: 'queued_paid', input: { id: ids[at] } },
        headers: { prefer: 'wait=0' },
      });
    await probe.untilBegun(...ids);
    probe.letGo(...ids);
    await worker.close();
    const left = await base.runtime.sql`select key from graphile_worker.jobs`;
    expect(left).toHaveLength(0);
  }
});
