import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForm, type ServedHarness, serveHarness, upload } from '@/test/support/asset-client';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp } from '@/test/support/mcp-client';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { newId } from '../kit/ids';
import type { AssetList, ListedAsset } from './schema';

let harness: Harness;
let served: ServedHarness;
beforeAll(async () => {
  harness = await startHarness({ listen: true, env: UNLIMITED_RATES });
  served = await serveHarness(harness);
});
afterAll(async () => {
  served.close();
  await harness.close();
});

const list = async (key: string, query: Record<string, string> = {}) =>
  await harness.request('GET', `/v1/assets?${new URLSearchParams(query)}`, { key });
const remove = (key: string, id: string) => harness.request('DELETE', `/v1/assets/${id}`, { key });
const put = async (key: string, name = 'a.txt'): Promise<string> =>
  (await (await upload(served.onNode, key, buildForm(name, { name }))).json()).asset_id;
const RESIZE = { tool: 'image', skill: 'resize', input: { image: 'asset_sample_logo', width: 16 } };
const idsOf = (assets: readonly ListedAsset[]) => assets.map(({ asset_id }) => asset_id);

async function insertAsset(
  { accountId, keyId }: { accountId: string; keyId: string },
  atMs: number,
  bytes = 1,
) {
  const id = newId('asset', atMs);
  await harness.runtime.sql`
    insert into assets (id, account_id, key_id, filename, content_type, size_bytes, sha256, blob_key, stored_at, expires_at)
    values (${id}, ${accountId}, ${keyId}, 'a.txt', 'text/plain', ${bytes}, 'x', ${id}, now(), now() + interval '1 day')`;
  return id;
}

describe('GET /v1/assets', () => {
  it('lists uploads and created files, newest first, by name, kind and tool', async () => {
    const { key } = await harness.person(1_000_000n);
    const uploaded = await put(key, 'notes.txt');
    const json = RESIZE;
    const made = await harness.request('POST', '/v1/tools/call', { key, json });
    expect(made.status).toBe(200);
    const { body } = await list(key);
    expect(body).toMatchObject({
      assets: [
        { tool: 'image', kind: 'image', url: expect.stringContaining('/files/') },
        {
          asset_id: uploaded,
          tool: null,
          kind: 'text',
          filename: 'notes.txt',
          expires_at: expect.any(String),
        },
      ],
      next_cursor: null,
    });
    for (const query of [{ tool: 'upload' }, { q: 'NOTES' }, { kind: 'text' }])
      expect(idsOf((await list(key, query)).body.assets)).toEqual([uploaded]);
    for (const query of [{ limit: '501' }, { kind: 'films' }, { cursor: 'x' }])
      expect([query, (await list(key, query)).status]).toEqual([query, 400]);
  });

  it('shows and deletes for a restricted key only what it uploaded or its calls created @F22', async () => {
    const person = await harness.person(1_000_000n);
    const restricted = await harness.addKey(person.accountId, 500_000n);
    const siblings = await put(person.key);
    const own = await put(restricted.key);
    const json = RESIZE;
    await harness.request('POST', '/v1/tools/call', { key: restricted.key, json });
    const [made, ...rest] = idsOf((await list(restricted.key)).body.assets);
    expect(rest).toEqual([own]);
    expect(idsOf((await list(person.key)).body.assets)).toEqual([made, own, siblings]);
    expect((await remove(restricted.key, siblings)).status).toBe(404);
    expect((await remove(restricted.key, own)).body).toEqual({ success: true, asset_id: own });
    expect((await remove(person.key, made ?? '')).status).toBe(200);
    expect(idsOf((await list(person.key)).body.assets)).toEqual([siblings]);
  });

  it('a connected application lists the files of the account, and deletes only its own @F22', async () => {
    const person = await harness.person();
    const application = await harness.addKey(person.accountId);
    await harness.runtime.sql`update api_keys set kind = 'oauth' where id = ${application.keyId}`;
    const [siblings, own] = [await put(person.key), await put(application.key)];
    expect(idsOf((await list(application.key)).body.assets)).toEqual([own, siblings]);
    expect((await remove(application.key, siblings)).status).toBe(404);
    expect((await remove(application.key, own)).status).toBe(200);
  });

  it('a deleted file is gone at once; deleting it again, or the file of another account, is 404', async () => {
    const { key } = await harness.person();
    const other = await harness.person();
    const id = await put(key);
    expect((await remove(other.key, id)).status).toBe(404);
    expect((await harness.request('GET', `/v1/assets/${id}/meta`)).status).toBe(200);
    const answers = await Promise.all([1, 2, 3, 4].map(() => remove(key, id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect((await harness.request('GET', `/v1/assets/${id}/meta`)).status).toBe(404);
    expect((await remove(key, 'asset_unknown')).status).toBe(404);
    expect((await remove(key, 'x')).status).toBe(400);
  });

  it.each(['newest', 'largest'])(
    'pages list every file that stays exactly once, whatever is added or deleted in between: %s first',
    async (sort) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 }),
          fc.integer({ min: 1, max: 5 }),
          fc.array(fc.record({ adds: fc.boolean(), at: fc.nat() }), { maxLength: 8 }),
          async (sizes, limit, changes) => {
            const person = await harness.person();
            const first: string[] = [];
            for (const [at, size] of sizes.entries())
              first.push(await insertAsset(person, Date.now() - 10_000 + at, size));
            const deleted = new Set<string>();
            const seen: string[] = [];
            let cursor: string | null = null;
            do {
              const page: AssetList = (
                await list(person.key, { sort, limit: String(limit), ...(cursor ? { cursor } : {}) })
              ).body;
              seen.push(...idsOf(page.assets));
              cursor = page.next_cursor;
              const change = changes.shift();
              const target = first[(change?.at ?? 0) % Math.max(1, first.length)];
              if (change?.adds) await insertAsset(person, Date.now(), change.at % 4);
              else if (change && target) {
                deleted.add(target);
                await remove(person.key, target);
              }
            } while (cursor);
            expect(new Set(seen).size).toBe(seen.length);
            const stayed = first.filter((id) => !deleted.has(id));
            expect(seen.filter((id) => stayed.includes(id)).sort()).toEqual(stayed.sort());
          },
        ),
        { numRuns: 10 },
      );
    },
  );

  it('is list_assets and delete_asset over MCP', async () => {
    const { key } = await harness.person();
    const ids = [await put(key), await put(key)];
    const client = await connectMcp(harness.baseUrl, '2026-07-28', key);
    try {
      const page = (await client.callTool('list_assets', { limit: 1 })).structuredContent;
      expect(idsOf(page.assets)).toEqual([ids[1]]);
      const rest = (await client.callTool('list_assets', { cursor: page.next_cursor })).structuredContent;
      expect(idsOf(rest.assets)).toEqual([ids[0]]);
      expect((await client.callTool('delete_asset', { asset_id: ids[0] })).structuredContent.success).toBe(
        true,
      );
      expect((await client.callTool('delete_asset', { asset_id: ids[0] })).isError).toBe(true);
    } finally {
      await client.close();
    }
  });
});
