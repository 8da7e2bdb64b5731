import { describe, expect, it } from 'vitest';
import { PROVIDER_NAMES, PROVIDERS } from '../../platform/settings/providers';
import { createProviderClient } from './provider-client';

/** A client that records its requests in `asked` and sends none. */
function createRecordingClient(slot: (typeof PROVIDER_NAMES)[number], baseUrl: string) {
  const asked: { url: string; headers: Headers }[] = [];
  let uses = 0;
  const client = createProviderClient({
    slot,
    authorize: PROVIDERS[slot].authorize,
    baseUrl,
    key: 'sk-test-secret-key',
    isByok: true,
    async fetch(input, init) {
      asked.push({ url: String(input), headers: new Headers(init?.headers) });
      return new Response('{}');
    },
    onUse: () => {
      uses++;
    },
  });
  return { client, asked, uses: () => uses };
}

describe('a provider client', () => {
  it.each(PROVIDER_NAMES)('%s sends the key in its headers, whatever the skill sets', async (slot) => {
    const { client, asked, uses } = createRecordingClient(slot, PROVIDERS[slot].baseUrl);
    await client.fetch('/v1/x?y=1', { headers: { authorization: 'Bearer other', 'x-api-key': 'other' } });
    const wanted = PROVIDERS[slot].authorize('sk-test-secret-key');
    expect(Object.keys(wanted).length).toBeGreaterThan(0);
    for (const [name, value] of Object.entries(wanted)) expect(asked[0]?.headers.get(name)).toBe(value);
    expect(asked[0]?.url).toBe(`${PROVIDERS[slot].baseUrl}/v1/x?y=1`);
    expect(uses()).toBe(1);
  });

  it("keeps the operator's path before that of the API", async () => {
    const { client, asked } = createRecordingClient('openai', 'https://proxy.example/openai/');
    await client.fetch('/v1/models');
    expect(asked[0]?.url).toBe('https://proxy.example/openai/v1/models');
  });

  it.each(['https://evil.example/', '//evil.example/x', '/\\evil.example', 'v1/x', '@evil.example/', ''])(
    'does not follow the path %j to another origin, nor send the key there',
    async (path) => {
      const { client, asked, uses } = createRecordingClient('openai', 'https://api.openai.com');
      await expect(client.fetch(path)).rejects.toThrow();
      expect([asked, uses()]).toEqual([[], 0]);
    },
  );
});
