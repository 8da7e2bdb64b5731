import { truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildForm, type ServedHarness, serveHarness, upload } from '@/test/support/asset-client';
import { BreakableStore } from '@/test/support/breakable-store';
import { type Harness, startHarness } from '@/test/support/harness';
import { sweep } from '../operations/retention/sweep';
import { buildBlobKey, buildBlobPrefix, buildThumbnailKey } from './blob-keys';

const store = new BreakableStore();
let harness: Harness;
let served: ServedHarness;
let person: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness({
    ports: { blob: store },
    role: 'command',
    env: { PUBLIC_ASSETS_PER_MINUTE: '100000' },
  });
  served = await serveHarness(harness);
  person = await harness.person();
});
afterAll(async () => {
  served.close();
  await harness.close();
});
afterEach(() => store.broken.clear());

const rows = async () =>
  await harness.runtime.db.execute<{ id: string; stored: boolean; deleted: boolean; account_id: string }>(
    sql`select id, account_id, stored_at is not null as stored, deleted_at is not null as deleted from assets order by id`,
  );
const put = (content = 'hello') => upload(served.onNode, person.key, buildForm(content));
const putId = async (content?: string) => (await (await put(content)).json()).asset_id as string;
const space = () => buildBlobPrefix(harness.runtime.settings.claimSecret);
const nothingLeft = async () => {
  expect(await rows()).toHaveLength(0);
  expect(await store.keys()).toEqual([]);
};
const expire = (id: string) =>
  harness.runtime.db.execute(
    sql`update assets set expires_at = now() - interval '1 second' where id = ${id}`,
  );

describe('rows and bytes of assets stay consistent @E10 @E16', () => {
  it.each(['put', 'put midway', 'put at its end'] as const)(
    'a store that fails at %s leaves neither row nor bytes',
    async (step) => {
      store.broken.add(step);
      const answer = await put();
      expect([answer.status, (await answer.json()).error]).toMatchObject([
        503,
        { code: 'UNAVAILABLE', retry_after: 5 },
      ]);
      expect(answer.headers.get('retry-after')).toBe('5');
      await nothingLeft();
    },
  );

  it('bytes that a failing store cannot remove stay hidden, and a later sweep removes them @E10', async () => {
    store.broken.add('put at its end').add('delete');
    expect((await put()).status).toBe(503);
    expect(await rows()).toMatchObject([{ stored: false, deleted: true }]);
    expect(await store.keys()).toHaveLength(1);
    await sweep(harness.runtime);
    expect(await rows()).toHaveLength(1);
    store.broken.clear();
    expect((await sweep(harness.runtime)).removed.deletedAssets).toBe(1);
    await nothingLeft();
  });

  it('a store that cannot read gives 503, not an empty 200 @E10', async () => {
    const id = await putId();
    store.broken.add('read');
    for (const path of [`/v1/assets/${id}`, `/files/${id}/a.txt`]) {
      const answer = await served.onNode(path);
      expect([answer.status, (await answer.json()).error.code]).toEqual([503, 'UNAVAILABLE']);
    }
    expect((await served.onNode(`/v1/assets/${id}/meta`)).status).toBe(200);
    store.broken.clear();
    await expire(id);
    await sweep(harness.runtime);
    await nothingLeft();
  });

  it('a truncated read breaks the connection, so the next response cannot be mistaken for its rest @E10', async () => {
    const id = await putId('0123456789');
    const [key] = await store.keys();
    await truncate(join(store.folder, key as string), 4);
    for (const ask of [served.onNode, served.throughNext])
      await expect(ask(`/v1/assets/${id}`).then((answer) => answer.text())).rejects.toThrow();
    const socket = connect(Number(new URL(served.base).port), '127.0.0.1');
    const line = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    socket.write(line(`/v1/assets/${id}`) + line('/healthz'));
    let got = '';
    for await (const chunk of socket) got += chunk;
    expect(got.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    await expire(id);
    await sweep(harness.runtime);
    await nothingLeft();
  });

  it('a client that disconnects during an upload leaves nothing', async () => {
    const socket = connect(Number(new URL(served.base).port), '127.0.0.1');
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n';
    socket.write(
      `POST /v1/assets/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.key}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n${part}${'x'.repeat(200_000)}`,
    );
    await vi.waitFor(async () => expect(await rows()).toHaveLength(1), { timeout: 15_000 });
    expect((await rows())[0]).toMatchObject({ stored: false });
    socket.destroy();
    await vi.waitFor(nothingLeft, { timeout: 15_000 });
  });

  it('an upload interrupted by a crash is swept after an hour, not before @C6', async () => {
    const ids = [`asset_${'1'.repeat(42)}`, `asset_${'2'.repeat(42)}`] as const;
    for (const [id, age] of [
      [ids[0], '59 minutes'],
      [ids[1], '61 minutes'],
    ] as const) {
      const key = buildBlobKey(harness.runtime.settings.claimSecret, id);
      await harness.runtime.db.execute(sql`
        insert into assets (id, account_id, filename, content_type, size_bytes, blob_key, expires_at, created_at)
        values (${id}, ${person.accountId}, 'file', 'text/plain', 5, ${key}, now() + interval '1 day', now() - ${age}::interval)`);
      await store.put(key, bytes('hello'), 'text/plain');
    }
    expect((await served.onNode(`/v1/assets/${ids[0]}`)).status).toBe(404);
    await sweep(harness.runtime);
    expect(await rows()).toMatchObject([{ id: ids[0] }]);
    expect(await store.keys()).toHaveLength(1);
    await harness.runtime.db.execute(sql`update assets set created_at = now() - interval '2 hours'`);
    await sweep(harness.runtime);
    await nothingLeft();
  });

  it('stray bytes are removed, but not those of another gateway in the same store', async () => {
    const id = await putId();
    const own = buildBlobKey(harness.runtime.settings.claimSecret, id);
    for (const key of [`${space()}zz/asset_stray`, `${space()}zz/asset_stray.webp`, 'another/zz/asset_stray'])
      await store.put(key, bytes('stray'), 'text/plain');
    await store.put(buildThumbnailKey(own), bytes('thumbnail'), 'image/webp');
    expect((await sweep(harness.runtime)).removed.strayBlobs).toBe(2);
    expect(await store.keys()).toEqual(['another/zz/asset_stray', own, buildThumbnailKey(own)].sort());
    await store.delete('another/zz/asset_stray');
    await expire(id);
    await sweep(harness.runtime);
    await nothingLeft();
  });

  it('an expired file is removed with its thumbnail @C6', async () => {
    const id = await putId();
    await sweep(harness.runtime);
    expect((await served.onNode(`/v1/assets/${id}`)).status).toBe(200);
    await expire(id);
    expect((await sweep(harness.runtime)).removed).toMatchObject({ outdatedAssets: 1, deletedAssets: 1 });
    expect((await served.onNode(`/v1/assets/${id}`)).status).toBe(404);
    await nothingLeft();
  });
});

async function* bytes(text: string) {
  yield Buffer.from(text);
}
