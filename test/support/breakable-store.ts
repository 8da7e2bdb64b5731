import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskBlobStore } from '@/server/platform/ports/disk-blob';
import type { BlobStore } from '@/server/platform/ports/ports';

type Step = 'put' | 'put midway' | 'put at its end' | 'read' | 'delete';

/** A disk blob store that fails at steps chosen by the test, as a remote store may. */
export class BreakableStore implements BlobStore {
  readonly folder = mkdtempSync(join(tmpdir(), 'breakable-'));
  readonly #store = createDiskBlobStore(this.folder);
  readonly broken = new Set<Step>();

  #check(step: Step): void {
    if (this.broken.has(step)) throw new Error(`The store is down: ${step}`);
  }

  async put(key: string, bytes: AsyncIterable<Uint8Array>, contentType: string) {
    this.#check('put');
    const cut = () => this.#check('put midway');
    async function* passing() {
      for await (const chunk of bytes) {
        yield chunk;
        cut();
      }
    }
    const put = await this.#store.put(key, passing(), contentType);
    // The bytes are stored, but the caller gets an error.
    this.#check('put at its end');
    return put;
  }

  async read(key: string, range?: { start: number; end: number }) {
    this.#check('read');
    return await this.#store.read(key, range);
  }

  async delete(key: string) {
    this.#check('delete');
    await this.#store.delete(key);
  }

  list(prefix: string) {
    return this.#store.list(prefix);
  }

  async keys(prefix = ''): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.#store.list(prefix)) keys.push(key);
    return keys.sort();
  }
}
