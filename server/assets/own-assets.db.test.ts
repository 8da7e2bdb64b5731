import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildForm, type ServedHarness, serveHarness, upload } from '@/test/support/asset-client';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { handleTrpc } from '../api/trpc/handler';
import { deleteAssets } from './delete-assets';
import { getOverview } from './get-overview';
import { listAssets } from './list-assets';
import type { AssetFilter } from './schema';

let harness: Harness;
let served: ServedHarness;
beforeAll(async () => {
  harness = await startHarness({ env: { ASSET_QUOTA_MIB: '3', ASSET_RETENTION_DAYS: '7' } });
  served = await serveHarness(harness);
});
afterAll(async () => {
  served.close();
  await harness.close();
});

const put = async (key: string, name: string, type: string, content = name) =>
  (await (await upload(served.onNode, key, buildForm(content, { name, type }))).json()).asset_id as string;

/** A user with files of several kinds; the largest is created first. */
async function withFiles() {
  const person = await harness.person();
  const ids = {
    csv: await put(person.key, 'Sales_2026.csv', 'text/csv', 'x'.repeat(500)),
    html: await put(person.key, 'page.html', 'text/html', 'x'.repeat(300)),
    unknown: await put(person.key, 'blob.bin', 'application/octet-stream', 'x'.repeat(300)),
    pdf: await put(person.key, 'report.pdf', 'application/pdf', '%PDF-1.4\n'),
  };
  return { person, session: createSessionActor(person), ids };
}

describe('the files of a user', () => {
  it('are found by name, kind and creating tool, and never those of another account', async () => {
    const { session, ids } = await withFiles();
    const other = await withFiles();
    const find = async (filter: AssetFilter) =>
      (await listAssets(harness.runtime, session, { limit: 10, ...filter })).assets.map(
        (asset) => asset.asset_id,
      );
    expect(await find({})).toEqual([ids.pdf, ids.unknown, ids.html, ids.csv]);
    expect(await find({ q: 'sales_2026' })).toEqual([ids.csv]);
    expect(await find({ q: '_' })).toEqual([ids.csv]);
    expect(await find({ kind: 'text' })).toEqual([ids.html, ids.csv]);
    expect(await find({ kind: 'pdf' })).toEqual([ids.pdf]);
    expect(await find({ kind: 'other' })).toEqual([ids.unknown]);
    expect(await find({ kind: 'image' })).toEqual([]);
    expect(await find({ tool: 'upload' })).toHaveLength(4);
    await harness.runtime.sql`update assets set tool = 'pdf', skill = 'merge' where id = ${ids.pdf}`;
    expect(await find({ tool: 'pdf' })).toEqual([ids.pdf]);
    expect(await find({ tool: 'upload' })).toHaveLength(3);
    expect(await find({ q: other.ids.csv })).toEqual([]);
  });

  it('are previewed in the charset that a browser would take', async () => {
    const { key } = await harness.person();
    const preview = async (content: Buffer) => {
      const body = buildForm(Uint8Array.from(content), { name: 'a.csv', type: 'text/csv' });
      const { asset_id: assetId } = await (await upload(served.onNode, key, body)).json();
      const input = encodeURIComponent(JSON.stringify({ assetId }));
      const request = new Request(`${harness.baseUrl}/api/trpc/assets.page?input=${input}`);
      const { result } = await (await handleTrpc(request, harness.runtime)).json();
      return result.data;
    };
    expect(await preview(Buffer.from('caf\xe9 \x80', 'latin1'))).toMatchObject({ text: 'café €' });
    expect(await preview(Buffer.from('\uFEFFZoë', 'utf16le'))).toMatchObject({ text: 'Zoë' });
    // 64 KiB end within a character.
    const long = await preview(Buffer.from(`x${'é'.repeat(40_000)}`));
    expect(long).toMatchObject({ text: `x${'é'.repeat(32_767)}`, text_is_cut: true });
  });

  it('are found by their name in any Unicode form', async () => {
    const { person, session } = await withFiles();
    for (const name of ['Übersicht.txt', 'Cafe\u0301.txt']) {
      const id = await put(person.key, name, 'text/plain');
      for (const q of [name.normalize('NFC'), name.normalize('NFD'), name.slice(0, 5)]) {
        const { assets } = await listAssets(harness.runtime, session, { limit: 10, q, sort: 'newest' });
        expect(assets.map(({ asset_id }) => asset_id)).toEqual([id]);
      }
    }
  });

  it.each(['newest', 'largest'] as const)('are listed by page, %s first, each once', async (sort) => {
    const { session, ids } = await withFiles();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAssets(harness.runtime, session, { limit: 1, sort, cursor });
      seen.push(...page.assets.map((asset) => asset.asset_id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(
      sort === 'newest'
        ? [ids.pdf, ids.unknown, ids.html, ids.csv]
        : [ids.csv, ids.unknown, ids.html, ids.pdf],
    );
  });

  it('an invalid cursor is refused', async () => {
    const { session } = await withFiles();
    for (const cursor of ['x', 'asset_1', "1.asset_1' or true", '1.'])
      await expect(listAssets(harness.runtime, session, { limit: 1, cursor })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
  });

  it('are summarized with quota, retention and the skills that accept them', async () => {
    const { session } = await withFiles();
    expect(await getOverview(harness.runtime, session)).toMatchObject({
      used_bytes: 1109,
      quota_bytes: 3 * 1024 * 1024,
      retention_days: 7,
      count: 4,
      kinds: [
        { kind: 'pdf', count: 1 },
        { kind: 'text', count: 2 },
        { kind: 'other', count: 1 },
      ],
      tools: [{ tool: null, count: 4 }],
      uses: expect.arrayContaining([
        expect.objectContaining({ tool: 'image', skill: 'inspect', field: 'image', media_type: 'image/*' }),
      ]),
    });
  });

  it('can be deleted in bulk, but never those of another account', async () => {
    const { session, ids } = await withFiles();
    const other = await withFiles();
    const gone = await deleteAssets(harness.runtime, session, [ids.csv, other.ids.csv, ids.pdf, ids.pdf]);
    expect(gone.asset_ids.sort()).toEqual([ids.csv, ids.pdf].sort());
    expect((await served.onNode(`/v1/assets/${ids.csv}`)).status).toBe(404);
    expect((await served.onNode(`/v1/assets/${other.ids.csv}`)).status).toBe(200);
    await expect(deleteAssets(harness.runtime, session, [other.ids.pdf])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect((await getOverview(harness.runtime, session)).used_bytes).toBe(600);
  });
});
