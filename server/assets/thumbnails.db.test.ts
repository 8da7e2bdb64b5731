import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { assets } from '@/db/schema/assets';
import { buildForm, type ServedHarness, serveHarness, upload } from '@/test/support/asset-client';
import { type Harness, startHarness } from '@/test/support/harness';
import { PROVISIONAL_QUOTA_BYTES } from './quota';
import { startThumbnail } from './start-thumbnail';
import { findAsset, findOwner, sumStorage } from './store';

let harness: Harness;
let served: ServedHarness;
let key = '';
beforeAll(async () => {
  harness = await startHarness({ env: { PUBLIC_ASSETS_PER_MINUTE: '100000' } });
  served = await serveHarness(harness);
  key = (await harness.person()).key;
});
afterAll(async () => {
  served.close();
  await harness.close();
});

const put = async (content: Uint8Array<ArrayBuffer> | string, name: string, type = 'image/png') =>
  (await (await upload(served.onNode, key, buildForm(content, { name, type }))).json()).asset_id as string;
const meta = async (id: string) => await (await served.onNode(`/v1/assets/${id}/meta`)).json();
/** Waits until the failure to draw the thumbnail is logged. */
const refused = (id: string) =>
  vi.waitFor(
    () =>
      expect(harness.log.some((line) => line.includes('thumbnail.failed') && line.includes(id))).toBe(true),
    {
      timeout: 20_000,
    },
  );

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

/** An image of 50,000 by 50,000 pixels in a few bytes. */
function pixelBomb(): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(50_000, 0);
  header.writeUInt32BE(50_000, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return new Uint8Array(
    Buffer.concat([
      signature,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(Buffer.alloc(6251 * 100))),
      chunk('IEND', Buffer.alloc(0)),
    ]),
  );
}

describe('thumbnails', () => {
  it('are drawn for images, rotated per EXIF and without location metadata @C5', async () => {
    const photo = await sharp('server/assets/samples/photo.jpg')
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const id = await put(new Uint8Array(photo), 'p.jpg', 'image/jpeg');
    await vi.waitFor(async () => expect(await meta(id)).toMatchObject({ has_thumbnail: true }), {
      timeout: 20_000,
    });
    const answer = await served.onNode(`/files/${id}/~thumbnail.webp`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { format, width = 0, height = 0, exif } = await sharp(bytes).metadata();
    expect({ format, exif }).toEqual({ format: 'webp', exif: undefined });
    expect([width, height]).toEqual([341, 512]);
    const original = await readFile('server/assets/samples/photo.jpg');
    expect(bytes.length).toBeLessThan(original.length);
  });

  it('are not drawn for an image of 2.5 billion pixels @C5', async () => {
    const id = await put(pixelBomb(), 'bomb.png');
    await refused(id);
    expect(await meta(id)).toMatchObject({ content_type: 'image/png', has_thumbnail: false });
    expect((await served.onNode(`/files/${id}/~thumbnail.webp`)).status).toBe(404);
  });

  it('are not drawn for an AVIF of more than 16 million pixels @C5', async () => {
    const plain = { width: 5_000, height: 4_000, channels: 3, background: '#888' } as const;
    const avif = await sharp({ create: plain }).avif({ effort: 0, quality: 1 }).toBuffer();
    await refused(await put(new Uint8Array(avif), 'large.avif', 'image/avif'));
  });

  it('count against the quota, and are discarded if they exceed it @C6', async () => {
    const logo = new Uint8Array(await readFile('server/assets/samples/logo.png'));
    const { api_key: own } = (await harness.request('POST', '/v1/auth/provision')).body;
    const send = async (content: Uint8Array<ArrayBuffer>) =>
      (
        await (
          await upload(served.onNode, own, buildForm(content, { name: 'l.png', type: 'image/png' }))
        ).json()
      ).asset_id as string;
    const first = await send(logo);
    const account = async () => {
      const { runtime } = harness;
      const owner = await findOwner(runtime.db, first);
      return owner ? await sumStorage(runtime.db, owner.accountId) : null;
    };
    await vi.waitFor(async () => expect(await meta(first)).toMatchObject({ has_thumbnail: true }), 20_000);
    const { thumbnailBytes } = (await findAsset(harness.runtime.db, first)) ?? {};
    expect(await account()).toMatchObject({ usedBytes: logo.length + (thumbnailBytes ?? 0), count: 1 });
    const left = PROVISIONAL_QUOTA_BYTES - logo.length - (thumbnailBytes ?? 0);
    await send(new Uint8Array(left - logo.length));
    const last = await send(logo);
    await refused(last);
    expect((await served.onNode(`/files/${last}/~thumbnail.webp`)).status).toBe(404);
    expect(await account()).toMatchObject({ usedBytes: PROVISIONAL_QUOTA_BYTES, count: 3 });
  });

  it('are drawn while hundreds of images of another account wait @F7', async () => {
    const { runtime } = harness;
    const logo = new Uint8Array(await readFile('server/assets/samples/logo.png'));
    const { key: other } = await harness.person();
    const sent = await upload(served.onNode, other, buildForm(logo, { name: 'l.png', type: 'image/png' }));
    const { asset_id: id } = await sent.json();
    await vi.waitFor(async () => expect(await meta(id)).toMatchObject({ has_thumbnail: true }), 20_000);
    await runtime.db
      .update(assets)
      .set({ thumbnailKey: null, thumbnailBytes: null })
      .where(eq(assets.id, id));
    const rows = await Promise.all(
      [put(logo.slice(0, 600), 'broken.png'), id].map(async (each) => findAsset(runtime.db, await each)),
    );
    const [flooding, waiting] = rows;
    if (!flooding || !waiting) throw new Error('Both must be stored');
    for (let i = 0; i < 300; i++) startThumbnail(runtime, flooding);
    startThumbnail(runtime, waiting);
    await vi.waitFor(async () => expect(await meta(id)).toMatchObject({ has_thumbnail: true }), 20_000);
  });

  it('are not drawn for a broken image, which is stored anyway @C5', async () => {
    const png = new Uint8Array(await readFile('server/assets/samples/logo.png')).slice(0, 600);
    const id = await put(png, 'broken.png');
    await refused(id);
    expect(await meta(id)).toMatchObject({ has_thumbnail: false, size_bytes: 600 });
  });

  it('are not drawn for an SVG that references a file or expands entities @C5', async () => {
    const svg = `<?xml version="1.0"?><!DOCTYPE s [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
      <svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/><text>&b;</text></svg>`;
    const id = await put(svg, 'x.svg', 'image/svg+xml');
    const first = await meta(id);
    // Its type alone excludes it: once a later image has its thumbnail, the turn of the SVG has
    // passed.
    const logo = await put(new Uint8Array(await readFile('server/assets/samples/logo.png')), 'l.png');
    await vi.waitFor(async () => expect(await meta(logo)).toMatchObject({ has_thumbnail: true }), {
      timeout: 20_000,
    });
    expect([first.content_type, await meta(id)]).toEqual(['image/svg+xml', first]);
    expect(first.has_thumbnail).toBe(false);
  });
});
