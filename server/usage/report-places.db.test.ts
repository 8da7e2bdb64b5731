import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { readInTurn } from './report-places';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const ROUTES = ['/v1/usage', '/v1/usage/history', '/v1/usage/errors', '/v1/usage/refusals'];

/** Reads of an account that end when `end` is called. */
function startReads(accountId: string, count: number, signal?: AbortSignal) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let started = 0;
  const reads = Array.from({ length: count }, () =>
    readInTurn({ actor: { accountId }, signal: () => signal ?? new AbortController().signal }, async () => {
      started += 1;
      await ended;
    }),
  );
  return { reads, end, started: () => started };
}

it.each(ROUTES)(
  'GET %s waits while its account reads two reports, and not for another account',
  async (path) => {
    const [busy, other] = [await harness.person(), await harness.person()];
    const { reads, end, started } = startReads(busy.accountId, 2);
    let waited: number | undefined;
    const waiting = harness.request('GET', path, { key: busy.key }).then(({ status }) => {
      waited = status;
    });
    await vi.waitFor(() => expect(started()).toBe(2));
    expect((await harness.request('GET', path, { key: other.key })).status).toBe(200);
    expect(waited).toBeUndefined();
    end();
    await Promise.all([...reads, waiting]);
    expect(waited).toBe(200);
  },
);

it('three hundred reads wait, and a further one is refused', async () => {
  const { reads, end, started } = startReads('busy', 303);
  await expect(reads.at(-1)).rejects.toMatchObject({ code: 'UNAVAILABLE', details: { retry_after: 5 } });
  expect(started()).toBe(2);
  end();
  await Promise.allSettled(reads);
  expect(started()).toBe(302);
});

it('a read whose client leaves while it waits does not start', async () => {
  const client = new AbortController();
  const { reads, end } = startReads('leaver', 2);
  const late = startReads('leaver', 1, client.signal);
  client.abort(new Error('left'));
  await expect(late.reads[0]).rejects.toThrow('left');
  end();
  await Promise.all(reads);
  expect(late.started()).toBe(0);
});
