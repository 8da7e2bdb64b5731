import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '../billing/reconcile';
import { collectRoutes } from '../http/routes';
import { closeWorkers } from '../tools/cpu-pool';
import { FUZZ_SEED, FUZZ_TIMES, fuzzTimeoutMs } from './fuzz/amount';
import { findFaults } from './fuzz/check-answer';
import { requestsTo } from './fuzz/generate';
import { send } from './fuzz/send';
import { type FuzzWorld, startFuzzWorld } from './fuzz/world';

// Generated from the document that the running gateway serves: what it promises is what its answers
// are held to.

const RUNS = 40 * FUZZ_TIMES;
const TIMEOUT_MS = fuzzTimeoutMs(RUNS);

let world: FuzzWorld;
let secrets: string[];
const answered = new Map<string, number>();

beforeAll(async () => {
  world = await startFuzzWorld();
  const { settings } = world.harness.runtime;
  secrets = [settings.databaseUrl, settings.dataDir, settings.vaultKey, settings.authSecret].filter(
    (value): value is string => typeof value === 'string' && value.length > 0,
  );
});
afterAll(async () => {
  await world.close();
  closeWorkers();
});

describe('garbage of every kind', () => {
  const ids = collectRoutes().map(({ method, template }) => `${method} ${template}`);

  it.each(ids)(
    '%s: has a documented status, the documented shape and headers, and tells nothing of the inside',
    async (id) => {
      const operation = world.document.operations.find((each) => each.id === id);
      if (!operation) throw new Error(`The document has no ${id}`);
      const { pools, credentials, harness } = world;
      // Most by who may do most; each other way of asking now and then.
      const askers = [...Array<string>(40).fill('rich'), ...Object.keys(credentials)];
      await fc.assert(
        fc.asyncProperty(
          requestsTo(world.document, operation, { pools, askers }),
          async ({ who, ...request }) => {
            const credential = credentials[who];
            const authorization = credential === undefined ? [] : [['Authorization', credential] as const];
            const sent = { ...request, headers: [...authorization, ...request.headers] };
            const answer = await send(harness.baseUrl, sent);
            const key = `${id} ${answer.status}`;
            answered.set(key, (answered.get(key) ?? 0) + 1);
            const addressed = world.document.addressedBy(operation, request.target);
            const faults = findFaults(world.document, addressed, sent, answer);
            for (const secret of secrets)
              if (answer.text.includes(secret)) faults.push('tells a secret of the settings');
            const told = harness.log.filter((line) => line.includes(`"${answer.headers['x-request-id']}"`));
            if (faults.length > 0)
              throw new Error([id, faults.join('; '), answer.status, answer.text, ...told].join('\n'));
          },
        ),
        { numRuns: RUNS, seed: FUZZ_SEED },
      );
    },
    TIMEOUT_MS,
  );

  it('was answered: every operation was reached, and most of them did what they are for', () => {
    for (const id of ids)
      expect(
        [...answered.keys()].some((key) => key.startsWith(`${id} `)),
        id,
      ).toBe(true);
    const succeeded = ids.filter((id) => [...answered.keys()].some((key) => key.startsWith(`${id} 2`)));
    expect(succeeded.length).toBeGreaterThan(ids.length * 0.8);
  });

  it('changed no prototype, failed nowhere inside, and left books that agree', async () => {
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(world.harness.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect((await reconcile(world.harness.runtime)).differences).toEqual([]);
  });
});
