import fc from 'fast-check';
import { expect } from 'vitest';
import { collectRoutes } from '@/server/api/http/routes';
import { reconcile } from '@/server/money/reconcile/reconcile';
import { FUZZ_SEED } from './amount';
import { findFaults } from './check-response';
import { type FuzzFixture, startFuzzFixture } from './fixture';
import { generateRequests } from './generate';
import { send } from './send';

/** All operations of the document. */
export const OPERATIONS = collectRoutes().map(({ method, template }) => `${method} ${template}`);

/** Fuzzes a gateway with requests generated from the document that it serves. */
export interface FuzzRun {
  /**
   * Sends `runs` requests to an operation and checks each response against the document.
   */
  sendTo(id: string, runs: number): Promise<void>;
  /** The operations that responded, and those that responded with 2xx. */
  answered(): { all: string[]; succeeded: string[] };
  expectNothingBroken(): Promise<void>;
  close(): Promise<void>;
}

export async function startFuzzRun(): Promise<FuzzRun> {
  const fixture = await startFuzzFixture();
  const { runtime, log } = fixture.harness;
  const { databaseUrl, dataDir, vaultKey, authSecret } = runtime.settings;
  const secrets = [databaseUrl, dataDir, vaultKey, authSecret].filter(
    (value): value is string => typeof value === 'string' && value.length > 0,
  );
  const answered = new Set<string>();
  return {
    sendTo: (id, runs) => sendTo({ fixture, secrets, answered }, id, runs),
    answered: () => ({
      all: OPERATIONS.filter((id) => [...answered].some((key) => key.startsWith(`${id} `))),
      succeeded: OPERATIONS.filter((id) => [...answered].some((key) => key.startsWith(`${id} 2`))),
    }),
    async expectNothingBroken() {
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
      expect((await reconcile(runtime)).differences).toEqual([]);
    },
    close: () => fixture.close(),
  };
}

interface Garbage {
  fixture: FuzzFixture;
  secrets: readonly string[];
  answered: Set<string>;
}

async function sendTo({ fixture, secrets, answered }: Garbage, id: string, runs: number): Promise<void> {
  const operation = fixture.document.operations.find((each) => each.id === id);
  if (!operation) throw new Error(`The document has no ${id}`);
  const { pools, credentials, harness } = fixture;
  // Mostly the caller with the most rights; every other credential now and then.
  const askers = [...Array<string>(40).fill('rich'), ...Object.keys(credentials)];
  await fc.assert(
    fc.asyncProperty(
      generateRequests(fixture.document, operation, { pools, askers }),
      async ({ caller, ...request }) => {
        const credential = credentials[caller];
        const authorization = credential === undefined ? [] : [['Authorization', credential] as const];
        const sent = { ...request, headers: [...authorization, ...request.headers] };
        const answer = await send(harness.baseUrl, sent);
        const key = `${id} ${answer.status}`;
        answered.add(key);
        const addressed = fixture.document.findAddressed(operation, request);
        const faults = findFaults(fixture.document, addressed, sent, answer);
        for (const secret of secrets)
          if (answer.text.includes(secret)) faults.push('contains a secret of the settings');
        const logged = harness.log.filter((line) => line.includes(`"${answer.headers['x-request-id']}"`));
        if (faults.length > 0)
          throw new Error([id, faults.join('; '), answer.status, answer.text, ...logged].join('\n'));
      },
    ),
    { numRuns: runs, seed: FUZZ_SEED },
  );
}
