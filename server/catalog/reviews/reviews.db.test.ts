import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import type { RequestContext } from '../../core/trpc/context';
import { POSTS_PER_HOUR } from './consume-post-quota';
import { listOwnReviews } from './list-own-reviews';
import { listReviews } from './list-reviews';
import { postReview } from './post-review';
import { removeReview } from './remove-review';
import type { ReviewSort } from './schema';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.runtime.sql`delete from reviews`;
});

const echo = async (key: string) => {
  const answer = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'echo', input: { message: 'x' } },
  });
  expect(answer.status).toBe(200);
};

/** Requests reviews as our own page does, or as an external client. */
const fetchPage = (
  ask: { sort?: ReviewSort; limit?: number; cursor?: string | undefined } = {},
  transport: RequestContext['transport'] = 'internal',
  tool = 'diagnostics',
) => {
  const context = { runtime: harness.runtime, transport, clientIp: '192.0.2.1' } as RequestContext;
  return listReviews(context, { tool, sort: 'newest', limit: 10, ...ask });
};

async function rated(rating: number, review?: string) {
  const person = await harness.person();
  await postReview(harness.runtime, createSessionActor(person), { tool: 'diagnostics', rating, review });
  return person;
}

describe('the tools and reviews of a person', () => {
  it('list used tools until they are rated; a review can be removed', async () => {
    const person = await harness.person();
    const session = createSessionActor(person);
    expect(await listOwnReviews(harness.runtime, session)).toEqual({
      to_rate: [],
      reviewed: [],
      asked: null,
    });
    await echo(person.key);
    await echo(person.key);
    const used = await listOwnReviews(harness.runtime, session);
    expect(used).toMatchObject({
      to_rate: [{ tool: 'diagnostics', calls: 2, verified: true, display_name: expect.any(String) }],
      reviewed: [],
    });
    const lastUse = Date.parse(used.to_rate[0]?.last_used_at ?? '');
    expect(Math.abs(Date.now() - lastUse)).toBeLessThan(10_000);

    await postReview(harness.runtime, session, { tool: 'diagnostics', rating: 4, review: 'Exact.' });
    expect(await listOwnReviews(harness.runtime, session)).toMatchObject({
      to_rate: [],
      reviewed: [
        {
          tool: 'diagnostics',
          calls: 2,
          available: true,
          review: { rating: 4, review: 'Exact.', verified: true },
        },
      ],
    });

    await removeReview(harness.runtime, session, 'diagnostics');
    expect(await listOwnReviews(harness.runtime, session)).toMatchObject({
      to_rate: [{ tool: 'diagnostics' }],
      reviewed: [],
    });
  });

  it('include the tool of a link, if it exists', async () => {
    const session = createSessionActor(await harness.person());
    expect((await listOwnReviews(harness.runtime, session, 'diagnostics')).asked).toMatchObject({
      tool: 'diagnostics',
      calls: 0,
      verified: false,
      last_used_at: null,
    });
    for (const tool of ['nothing', '__proto__', ''])
      expect((await listOwnReviews(harness.runtime, session, tool)).asked).toBeNull();
  });

  it('cannot be seen or removed by others', async () => {
    const owner = await rated(5);
    const other = createSessionActor(await harness.person());
    expect(await listOwnReviews(harness.runtime, other)).toEqual({ to_rate: [], reviewed: [], asked: null });
    await expect(removeReview(harness.runtime, other, 'diagnostics')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await listOwnReviews(harness.runtime, createSessionActor(owner))).reviewed).toHaveLength(1);
  });

  it('keep the review of a removed tool, which can only be removed', async () => {
    const owner = createSessionActor(await rated(2));
    await harness.runtime.sql`update reviews set tool = 'gone' where account_id = ${owner.accountId}`;
    expect((await listOwnReviews(harness.runtime, owner)).reviewed).toMatchObject([
      { tool: 'gone', display_name: 'gone', available: false },
    ]);
    await removeReview(harness.runtime, owner, 'gone');
    expect((await listOwnReviews(harness.runtime, owner)).reviewed).toEqual([]);
  });
});

describe('the reviews of a tool', () => {
  it.each([
    ['newest', [1, 5, 3, 5, 2]],
    ['highest', [5, 5, 3, 2, 1]],
    ['lowest', [1, 2, 3, 5, 5]],
  ] as const)('are paged, %s first, each once', async (sort, expected) => {
    for (const rating of [2, 5, 3, 5, 1]) await rated(rating);
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await fetchPage({ sort, limit: 2, cursor });
      seen.push(...page.reviews.map((review) => review.rating));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(expected);
  });

  it('with equal timestamps are paged without duplicates', async () => {
    for (const rating of [4, 4, 4]) await rated(rating);
    await harness.runtime.sql`update reviews set updated_at = '2026-01-02T03:04:05.678901Z'`;
    const first = await fetchPage({ limit: 2 });
    const rest = await fetchPage({ limit: 2, cursor: first.next_cursor ?? undefined });
    expect([first.reviews.length, rest.reviews.length, rest.next_cursor]).toEqual([2, 1, null]);
  });

  it('are summarized, without their authors', async () => {
    const person = await rated(5, 'Good.');
    for (const { key } of [person, await rated(2)]) await echo(key);
    const page = await fetchPage();
    expect(page).toMatchObject({ average: 3.5, count: 2, distribution: [0, 1, 0, 0, 1] });
    const text = JSON.stringify(page);
    expect(text).not.toContain(person.accountId);
    expect(text).not.toContain(person.userId);
  });

  it('are verified only if their account has called the tool successfully', async () => {
    const caller = await rated(5, 'called');
    await echo(caller.key);
    const elsewhere = await rated(4, 'called another tool');
    await harness.runtime.sql`
      insert into usage_rollups select ${elsewhere.accountId}, hour, key_id, 'text', calls, failed, byok_calls,
        raw_cost_microusd, markup_microusd, latency_ms_sum from usage_rollups where account_id = ${caller.accountId}`;
    await rated(3, 'never called');
    const { reviews } = await fetchPage();
    expect(reviews.map(({ review, verified }) => [review, verified])).toEqual([
      ['never called', false],
      ['called another tool', false],
      ['called', true],
    ]);
  });

  it('are an empty list for a tool without any, and an error for an unknown tool', async () => {
    expect(await fetchPage()).toEqual({
      reviews: [],
      next_cursor: null,
      distribution: [0, 0, 0, 0, 0],
      average: null,
      count: 0,
      total: 0,
    });
    await expect(fetchPage({}, 'internal', 'nothing')).rejects.toMatchObject({ code: 'TOOL_NOT_FOUND' });
  });

  it('are refused for an invalid cursor', async () => {
    const forged = Buffer.from("5 2026-01-01T00:00:00.000000Z x' or true").toString('base64url');
    const noInstants = [
      '0000-01-01T00:00:00.000000Z',
      '2026-02-30T00:00:00.000000Z',
      '2026-01-01T25:00:00.000000Z',
    ].map((at) => Buffer.from(`5 ${at} rev_1`).toString('base64url'));
    for (const cursor of ['x', '', forged, ...noInstants])
      await expect(fetchPage({ cursor })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('are rate limited per minute for external clients', async () => {
    await fetchPage({}, 'trpc');
    await harness.runtime.sql`update rate_windows set used = 110 where scope = 'reviews'`;
    const reads = await Promise.allSettled(Array.from({ length: 15 }, () => fetchPage({}, 'trpc')));
    expect(reads.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await fetchPage()).toMatchObject({ count: 0 });
  });
});

describe('posting reviews', () => {
  const post = (key: string, rating: number) =>
    harness.request('POST', '/v1/reviews', { key, json: { tool: 'diagnostics', rating } });

  it('is limited per hour and account, across its keys @F18', async () => {
    const { accountId, key } = await harness.person();
    const other = await harness.addKey(accountId);
    for (const each of [key, other.key]) expect((await post(each, 5)).status).toBe(200);
    await harness.runtime.sql`update rate_windows set used = ${POSTS_PER_HOUR} where subject = ${accountId}`;
    for (const each of [key, other.key]) {
      const { status, headers, body } = await post(each, 1);
      expect([status, body.error]).toMatchObject([429, { code: 'RATE_LIMIT_EXCEEDED', limit: 'reviews' }]);
      expect(headers['ratelimit-policy']).toBe(`"reviews";q=${POSTS_PER_HOUR};w=3600`);
      expect(headers.ratelimit).toMatch(/^"reviews";r=0;t=\d+$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(3500);
    }
    expect((await post((await harness.person()).key, 3)).status).toBe(200);
    const [row] = await harness.runtime.sql`select rating from reviews where account_id = ${accountId}`;
    expect(row?.rating).toBe(5);
  });

  it('updates the rating at once, without reading 30 days of usage again @F18', async () => {
    const { key } = await harness.person();
    const { runtime } = harness;
    await echo(key);
    runtime.facts.invalidate();
    expect((await runtime.facts.get('diagnostics')).stats.calls_30d).toBeGreaterThan(0);
    const before = await runtime.facts.get('diagnostics');
    // The statistics have changed, so a second read would be visible.
    await runtime.sql`update usage_rollups set calls = calls + 1000`;
    for (const rating of [2, 4]) {
      expect((await post(key, rating)).body.verified).toBe(true);
      expect(await runtime.facts.get('diagnostics')).toEqual({
        ...before,
        rating: { average: rating, count: 1 },
      });
      const listed = await harness.request('GET', '/v1/tools/diagnostics');
      expect(listed.body.rating).toEqual({ average: rating, count: 1 });
    }
    const session = await runtime.sql<{ account_id: string }[]>`select account_id from reviews`;
    await removeReview(runtime, { accountId: session[0]?.account_id ?? '' }, 'diagnostics');
    expect(await runtime.facts.get('diagnostics')).toEqual({
      ...before,
      rating: { average: null, count: 0 },
    });
  });
});
