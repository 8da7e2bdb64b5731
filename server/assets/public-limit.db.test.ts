import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { handleTrpc } from '../api/trpc/handler';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/** Sets the reads of this minute of every IP that has read already. */
const useUp = (used: number) =>
  harness.runtime.sql`update rate_windows set used = ${used} where scope = 'public-assets'`;

it('an IP may read 300 files a minute over all routes together, and is then refused with Retry-After @C4', async () => {
  const read = (path: string, ip = '198.51.100.7', headers = {}) =>
    harness.request('GET', path, { ip, headers });
  const paths = [
    '/v1/assets/asset_sample_logo',
    '/v1/assets/asset_sample_logo/meta',
    '/files/asset_sample_logo/logo.png',
    `/v1/assets/asset_${'0'.repeat(42)}`,
  ];
  const first = await read(paths[0] as string);
  expect(first.headers).toMatchObject({
    'ratelimit-policy': '"public-assets";q=300;w=60',
    ratelimit: '"public-assets";r=299;t=60',
    'ratelimit-limit': '300',
    'x-ratelimit-remaining': '299',
  });
  for (const [at, path] of paths.entries()) {
    const { status, headers: limits } = await read(path);
    expect(status).not.toBe(429);
    expect(limits.ratelimit).toMatch(new RegExp(`^"public-assets";r=${298 - at};t=\\d+$`));
  }
  await useUp(299);
  expect((await read(paths[0] as string)).status).toBe(200);
  for (const path of paths) {
    const refused = await read(path, '198.51.100.7', { 'x-forwarded-for': '203.0.113.9' });
    expect([refused.status, refused.body.error]).toMatchObject([
      429,
      { code: 'RATE_LIMIT_EXCEEDED', type: 'rate_limit', limit: 'public-assets' },
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers.ratelimit).toMatch(/^"public-assets";r=0;t=\d+$/);
  }
  expect((await read(paths[0] as string, '198.51.100.8')).status).toBe(200);
});

it('a view of a file page counts as a read, also for a missing file @C4', async () => {
  const page = async (assetId: string) => {
    const input = encodeURIComponent(JSON.stringify({ assetId }));
    const response = await handleTrpc(
      new Request(`${harness.baseUrl}/api/trpc/assets.page?input=${input}`, {
        headers: { 'x-gateway-peer': '198.51.100.9' },
      }),
      harness.runtime,
    );
    return response.status;
  };
  const guessed = `asset_${'1'.repeat(42)}`;
  expect(await page(guessed)).toBe(404);
  await useUp(298);
  expect(await page(guessed)).toBe(404);
  expect(await page('asset_sample_logo')).toBe(200);
  expect(await page('asset_sample_logo')).toBe(429);
  expect(await page(guessed)).toBe(429);
  expect((await harness.request('GET', '/v1/assets/asset_sample_logo', { ip: '198.51.100.9' })).status).toBe(
    429,
  );
});
