import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { writeLlmsFullText } from '../../docs/agent-texts';
import { textRoute } from './text-route';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  globalThis.__gateway = { runtime: harness.runtime };
});
afterAll(async () => {
  globalThis.__gateway = undefined;
  await harness.close();
});

it('renders a text once for concurrent requests, and lets Next compress it @F5', async () => {
  let written = 0;
  const get = textRoute(
    (runtime, { name }: { name: string }) => {
      written += 1;
      return name === 'full' ? writeLlmsFullText(runtime) : Promise.resolve(null);
    },
    { type: 'text/plain; charset=utf-8' },
  );
  const ask = (name: string, headers: Record<string, string> = {}) =>
    get(new Request('http://gateway.test/text', { headers }), { params: Promise.resolve({ name }) });
  const plain = await ask('full');
  const text = await plain.text();
  expect(text).toBe(await writeLlmsFullText(harness.runtime));
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => ask('full', { 'accept-encoding': 'gzip, br' })),
  );
  // The catalogue of a newly started gateway may change in between.
  expect(written).toBeLessThan(5);
  for (const answer of answers) {
    // Next drops this header of a route and compresses again.
    expect(answer.headers.has('content-encoding')).toBe(false);
    expect(answer.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(await answer.text()).toBe(text);
  }
  const etag = plain.headers.get('etag') ?? '';
  expect((await ask('full', { 'if-none-match': etag })).status).toBe(304);
  expect((await ask('nothing')).status).toBe(404);
});
