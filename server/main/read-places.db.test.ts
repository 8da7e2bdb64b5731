import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { listProcedures } from '@/test/support/list-procedures';
import { callProcedure, createBrowserCaller } from '@/test/support/operator-fixture';
import type { ReadKind } from '../core/limits/read-places';
import { createReadPlaces } from '../platform/database/read-places';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** Reads of an account that end when `end` is called. */
function startReads(
  kind: ReadKind,
  accountId: string,
  count: number,
  { places = harness.runtime.reads, signal = new AbortController().signal } = {},
) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let started = 0;
  const reads = Array.from({ length: count }, () =>
    places.inTurn(kind, { actor: { accountId }, signal: () => signal }, async () => {
      started += 1;
      await ended;
    }),
  );
  return { reads, end, started: () => started };
}

/** Occupies all places of an account with reads that end when `end` is called. */
function occupyAll(accountId: string) {
  const all = [startReads('read', accountId, 3), startReads('report', accountId, 2)];
  return {
    end: async () => {
      for (const { end } of all) end();
      await Promise.all(all.flatMap(({ reads }) => reads));
    },
  };
}

/** Runs requests, and names those that have been answered. */
function collectAnswers(requests: Record<string, () => Promise<unknown>>) {
  const answered = new Set<string>();
  const all = Object.entries(requests).map(([name, send]) =>
    send()
      .catch(() => undefined)
      .finally(() => answered.add(name)),
  );
  return { answered, all: Promise.all(all) };
}

const ROUTES = [
  ...[
    '/v1/usage',
    '/v1/usage/history',
    '/v1/usage/errors',
    '/v1/usage/refusals',
    '/v1/me',
    '/v1/keys',
    '/v1/jobs',
  ],
  ...[
    '/v1/assets',
    '/v1/billing/balance',
    '/v1/billing/preferences',
    '/v1/webhooks',
    '/v1/usage/call_01jaaaaaaaaaaaaaaaaaaaaaaa/receipt',
  ],
];

it('reads with a key wait while their account has all its places, and not for another account @F41', async () => {
  const [busy, other] = [await harness.person(), await harness.person()];
  const { end } = occupyAll(busy.accountId);
  const send = (key: string) => (path: string) =>
    [path, () => harness.request('GET', path, { key })] as const;
  const waiting = collectAnswers(Object.fromEntries(ROUTES.map(send(busy.key))));
  await collectAnswers(Object.fromEntries(ROUTES.map(send(other.key)))).all;
  expect([...waiting.answered]).toEqual([]);
  await end();
  await waiting.all;
  expect([...waiting.answered].sort()).toEqual([...ROUTES].sort());
});

it('a dry run waits too, although it is no query @F41', async () => {
  const busy = await harness.person();
  const { end } = occupyAll(busy.accountId);
  const json = { tool: 'text', skill: 'stats', input: { text: 'a' }, dry_run: true };
  const send = (key: string) => harness.request('POST', '/v1/tools/call', { key, json });
  const waiting = collectAnswers({ dry: () => send(busy.key) });
  expect((await send((await harness.person()).key)).status).toBe(200);
  expect([...waiting.answered]).toEqual([]);
  await end();
  await waiting.all;
});

/** Queries of nobody's account: open to everyone, for operators, or refused without a key. */
const WITHOUT_TURN = [
  /^(operator|tools|guides)\./,
  /^(assets\.(download|meta|page)|auth\.claimPreview|billing\.(quote|terms)|receipts\.keys)$/,
  /^(requirements\.list|reviews\.ofTool|security\.previewEmailChange|status\.get|teams\.previewInvitation)$/,
  /^(auth\.me|calls\.resume|jobs\.get|webhooks\.secret)$/,
];

it('every query of the dashboard waits while its account has all its places @F41', async () => {
  const [busy, other] = [await harness.person(), await harness.person()];
  const signIn = async ({ userId }: { userId: string }) =>
    createBrowserCaller(harness, { kind: 'session', token: await newSession(harness, userId) });
  const callers = [await signIn(busy), await signIn(other)] as const;
  const { end } = occupyAll(busy.accountId);
  const queries = listProcedures().flatMap(({ name, type }) => (type === 'query' ? [name] : []));
  const askAll = (caller: (typeof callers)[number]) =>
    collectAnswers(Object.fromEntries(queries.map((path) => [path, () => callProcedure(caller, path, {})])));
  const waiting = askAll(callers[0]);
  await askAll(callers[1]).all;
  const early = [...waiting.answered].filter((path) => !WITHOUT_TURN.some((pattern) => pattern.test(path)));
  expect(early).toEqual([]);
  await end();
  await waiting.all;
});

it('three hundred reads wait, and a further one of the account with the most is refused @F41', async () => {
  const places = createReadPlaces(10);
  const { reads, end, started } = startReads('report', 'busy', 302, { places });
  const other = startReads('report', 'other', 2, { places });
  await expect(reads.at(-1)).rejects.toMatchObject({ code: 'UNAVAILABLE', details: { retry_after: 5 } });
  expect([started(), other.started()]).toEqual([2, 1]);
  end();
  other.end();
  await Promise.all([...other.reads, Promise.allSettled(reads)]);
  expect(started()).toBe(301);
});

it('a read whose client leaves while it waits does not start', async () => {
  const client = new AbortController();
  const { reads, end } = startReads('report', 'leaver', 2);
  const late = startReads('report', 'leaver', 1, { signal: client.signal });
  client.abort(new Error('left'));
  await expect(late.reads[0]).rejects.toThrow('left');
  end();
  await Promise.all(reads);
  expect(late.started()).toBe(0);
});

it('a process with one connection still reads, one at a time', async () => {
  const places = createReadPlaces(1);
  const first = startReads('read', 'a', 1, { places });
  const second = startReads('read', 'b', 1, { places });
  await vi.waitFor(() => expect(first.started()).toBe(1));
  expect(second.started()).toBe(0);
  first.end();
  await first.reads[0];
  await vi.waitFor(() => expect(second.started()).toBe(1));
  second.end();
  await second.reads[0];
});
