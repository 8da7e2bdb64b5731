import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeVercelBlob, startFakeVercelBlob } from '../../../fakes/vercel-blob/fake-vercel-blob';
import { createDiskBlobStore } from './disk-blob';
import type { BlobStore } from './ports';
import { createVercelBlobStore } from './vercel-blob';

let folder = '';
let fakeBlob: FakeVercelBlob;
const stores: Record<string, BlobStore> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blob-'));
  fakeBlob = await startFakeVercelBlob();
  vi.stubEnv('VERCEL_BLOB_API_URL', fakeBlob.apiUrl).stubEnv('VERCEL_BLOB_RETRIES', '0');
  stores.disk = createDiskBlobStore(folder);
  stores['Vercel Blob'] = createVercelBlobStore(fakeBlob.token);
});
afterAll(async () => {
  fakeBlob.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  fakeBlob.blobs.clear();
});

async function* bytes(...parts: (string | Buffer)[]) {
  for (const part of parts) yield Buffer.from(part);
}
const collect = async (stream: AsyncIterable<Uint8Array> | null) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks);
};
const text = async (stream: AsyncIterable<Uint8Array> | null) => (await collect(stream)).toString();
const keys = async (store: BlobStore, prefix: string) => {
  const found: string[] = [];
  for await (const key of store.list(prefix)) found.push(key);
  return found.sort();
};

describe.each(['disk', 'Vercel Blob'])('the blob store on: %s', (name) => {
  const store = () => stores[name] as BlobStore;

  it('returns a stored value, complete or a range, and deletes it', async () => {
    expect(await store().put('a/b', bytes('hello ', 'world'), 'text/plain')).toEqual({ sizeBytes: 11 });
    expect(await text(await store().read('a/b'))).toBe('hello world');
    expect(await text(await store().read('a/b', { start: 6, end: 8 }))).toBe('wor');
    expect(await text(await store().read('a/b', { start: 10, end: 10 }))).toBe('d');
    await store().delete('a/b');
    expect(await store().read('a/b')).toBeNull();
    await store().delete('a/b');
  });

  it('has nothing under a key that was never written', async () => {
    expect(await store().read('none')).toBeNull();
    await store().put('some', bytes('x'), 'text/plain');
    expect(await text(await store().read('some'))).toBe('x');
    expect(await store().read('none')).toBeNull();
    await store().delete('some');
  });

  it('stores an empty value, and overwrites an existing one', async () => {
    expect(await store().put('empty', bytes(), 'text/plain')).toEqual({ sizeBytes: 0 });
    expect(await text(await store().read('empty'))).toBe('');
    await store().put('empty', bytes('now more'), 'text/plain');
    expect(await text(await store().read('empty'))).toBe('now more');
    await store().delete('empty');
  });

  it.each([8 * 1024 * 1024 - 1, 8 * 1024 * 1024, 8 * 1024 * 1024 + 1, 20_000_000])(
    'stores %i bytes',
    async (size) => {
      const content = randomBytes(size);
      async function* pieces() {
        for (let at = 0; at < size; at += 70_001) yield content.subarray(at, at + 70_001);
      }
      expect(await store().put('large', pieces(), 'text/plain')).toEqual({ sizeBytes: size });
      expect((await collect(await store().read('large'))).equals(content)).toBe(true);
      const part = await collect(await store().read('large', { start: size - 5, end: size - 1 }));
      expect(part.equals(content.subarray(size - 5))).toBe(true);
      await store().delete('large');
    },
  );

  it('leaves nothing to read after a write that fails, early or late @E16', async () => {
    for (const size of [4, 10_000_000]) {
      async function* broken() {
        yield Buffer.alloc(size);
        throw new Error('cut');
      }
      await expect(store().put('broken', broken(), 'text/plain')).rejects.toThrow('cut');
      expect(await store().read('broken')).toBeNull();
      expect(await keys(store(), '')).toEqual([]);
    }
  });

  it('lists exactly the keys with a prefix', async () => {
    for (const key of ['own/aa/1', 'own/bb/2', 'other/aa/1'])
      await store().put(key, bytes('x'), 'text/plain');
    expect(await keys(store(), 'own/')).toEqual(['own/aa/1', 'own/bb/2']);
    expect(await keys(store(), 'none/')).toEqual([]);
    for (const key of await keys(store(), '')) await store().delete(key);
  });

  it('releases a value if its reader stops midway', async () => {
    await store().put('long', bytes(Buffer.alloc(5_000_000)), 'text/plain');
    for await (const chunk of (await store().read('long')) ?? []) {
      expect(chunk.byteLength).toBeGreaterThan(0);
      break;
    }
    await store().delete('long');
  });
});

describe('the disk store', () => {
  it('stores a whole chunk after a nearly full disk wrote only part of it @E16', async () => {
    const probe = await open(join(folder, 'probe'), 'w');
    const handles = Object.getPrototypeOf(probe);
    await probe.close();
    const { write } = handles;
    handles.write = function (chunk: Uint8Array, at = 0, length = chunk.byteLength) {
      return write.call(this, chunk, at, Math.min(length, 4));
    };
    const store = stores.disk as BlobStore;
    await store.put('short/a', bytes('hello ', 'world'), 'text/plain').finally(() => {
      handles.write = write;
    });
    expect(await text(await store.read('short/a'))).toBe('hello world');
    await store.delete('short/a');
  });

  it('leaves no incomplete file, and refuses keys outside its folder', async () => {
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('cut');
    }
    await expect(stores.disk?.put('half', broken(), 'text/plain')).rejects.toThrow('cut');
    expect(await readdir(folder)).not.toContain('half.part');
    await expect(stores.disk?.read('../../etc/passwd')).rejects.toThrow('outside the store');
  });

  it('lists and deletes incomplete values of a crash under their key', async () => {
    let die: (() => void) | undefined;
    async function* stuck() {
      yield Buffer.from('half');
      await new Promise<void>((_, fail) => {
        die = () => fail(new Error('killed'));
      });
    }
    const written = stores.disk?.put('own/cc/3', stuck(), 'text/plain');
    await expect.poll(() => keys(stores.disk as BlobStore, 'own/')).toEqual(['own/cc/3']);
    await expect.poll(() => die).toBeDefined();
    await stores.disk?.delete('own/cc/3');
    expect(await keys(stores.disk as BlobStore, 'own/')).toEqual([]);
    die?.();
    await expect(written).rejects.toThrow('killed');
  });
});

describe('the Vercel Blob store', () => {
  const store = () => stores['Vercel Blob'] as BlobStore;

  it('receives large files in parts, one at a time, and small ones in one piece', async () => {
    fakeBlob.parts = 0;
    await store().put('small', bytes('x'), 'text/plain');
    expect(fakeBlob.parts).toBe(0);
    await store().put('large', bytes(Buffer.alloc(20_000_000)), 'text/plain');
    expect(fakeBlob.parts).toBe(3);
  });

  it('returns a range even if the server ignores the Range header', async () => {
    await store().put('a', bytes('hello world'), 'text/plain');
    fakeBlob.ignoreRanges = true;
    expect(await text(await store().read('a', { start: 2, end: 6 }))).toBe('llo w');
    fakeBlob.ignoreRanges = false;
  });

  it('throws if the server is down, and never reports a missing file instead @E10', async () => {
    await store().put('a', bytes('x'), 'text/plain');
    fakeBlob.down = true;
    await expect(store().read('a')).rejects.toThrow();
    await expect(store().put('b', bytes('x'), 'text/plain')).rejects.toThrow();
    await expect(store().delete('a')).rejects.toThrow();
    fakeBlob.down = false;
    await expect(createVercelBlobStore('vercel_blob_rw_fake_wrong').read('a')).rejects.toThrow();
  });
});
