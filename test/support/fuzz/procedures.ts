import fc from 'fast-check';
import { expect } from 'vitest';
import { handleTrpc } from '@/server/api/trpc/handler';
import { listProcedures } from '../list-procedures';
import { type EndpointFuzz, expectHarmless, fuzz } from './endpoints';
import { hostileJson, hostileText, writeJson } from './hostile';

type FuzzedProcedure = readonly [name: string, type: string];

/** These end the session or delete the account. */
const ENDING = /^auth\.(deleteAccount|signOut|endSession|endOtherSessions)/;

export const FUZZED_PROCEDURES: readonly FuzzedProcedure[] = listProcedures()
  .filter(({ name }) => !ENDING.test(name))
  .map(({ name, type }) => [name, type]);

function buildRequest({ harness, cookie }: EndpointFuzz, name: string, type: string, text: string): Request {
  const headers = { cookie, origin: harness.baseUrl, 'content-type': 'application/json' };
  const url = `${harness.baseUrl}/api/trpc/${name}`;
  return type === 'query'
    ? new Request(`${url}?input=${encodeURIComponent(Buffer.from(text).toString())}`, { headers })
    : new Request(url, { method: 'POST', headers, body: text });
}

/**
 * Requires that a tRPC procedure answers any input without a 5xx or internals.
 * @param runs inputs to send
 */
export async function expectGarbageRefused(
  doors: EndpointFuzz,
  [name, type]: FuzzedProcedure,
  runs: number,
): Promise<void> {
  const field = fc.constantFrom(
    'billing',
    'cursor',
    'id',
    'tool',
    'from',
    'to',
    'limit',
    'name',
    'jobId',
    'payment_id',
  );
  const input = fc.oneof(
    hostileJson,
    fc.dictionary(field, fc.oneof(hostileText, hostileJson), { maxKeys: 5 }),
  );
  await fuzz(
    input,
    async (value) => {
      const response = await handleTrpc(
        buildRequest(doors, name, type, writeJson(value)),
        doors.harness.runtime,
      );
      const text = await response.text();
      expectHarmless(doors.harness, response.status, text, [501, 502]);
      const body = JSON.parse(text);
      if (response.status >= 400)
        expect(body.error.data.gateway).toMatchObject({
          code: expect.any(String),
          resolution_hint: expect.any(String),
        });
    },
    runs,
  );
}
