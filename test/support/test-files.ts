import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { fileTypeFromFile } from 'file-type';
import { SkillError } from '@/server/core/errors/skill-error';
import type { CallFiles, SavedAsset } from '@/server/tools/sdk/skill-context';
import { makeSharedFolder } from './process-scratch';

/** Fake files for tests of skills: sample assets, assets saved before, and URLs through a fetch. */
export interface TestFiles extends CallFiles {
  /** Returns the content of a saved asset. */
  readBytes(assetId: string): Promise<Buffer>;
  /** Adds a file, as an upload would. */
  add(filename: string, bytes: Uint8Array): Promise<string>;
  remove(): Promise<void>;
}

const SAMPLES = 'server/assets/samples';

/** Creates files in a new temporary folder; call `remove` in afterAll. */
export async function createTestFiles(fetch: typeof globalThis.fetch = globalThis.fetch): Promise<TestFiles> {
  const folder = await makeSharedFolder('skill-files');
  const saved = new Map<string, { path: string; filename: string }>();
  for (const name of await readdir(SAMPLES))
    saved.set(`asset_sample_${basename(name, extname(name))}`, {
      path: resolve(SAMPLES, name),
      filename: name,
    });
  let count = 0;
  const scratch = async (extension = '') =>
    join(folder, `${count++}${extension && `.${extension.replace(/^\./, '')}`}`);
  const register = async (path: string, filename: string) => {
    const id = `asset_test${count++}`;
    saved.set(id, { path, filename });
    return id;
  };
  return {
    async open(reference, { maxBytes }) {
      let found = saved.get(reference);
      if (!found && /^https?:/.test(reference)) {
        const path = await scratch();
        const response = await fetch(reference);
        if (!response.ok) throw new SkillError(`The address answered ${response.status}.`);
        await writeFile(path, Buffer.from(await response.arrayBuffer()));
        found = { path, filename: basename(new URL(reference).pathname) };
      }
      if (!found) throw new SkillError(`There is no asset ${reference}.`);
      const { size } = await stat(found.path);
      if (size > maxBytes) throw new SkillError(`The file is larger than ${maxBytes} bytes.`);
      const type = await fileTypeFromFile(found.path);
      return { ...found, sizeBytes: size, contentType: type?.mime ?? 'application/octet-stream' };
    },
    scratch,
    ensureRoom: async () => undefined,
    async save(content, { filename, contentType }): Promise<SavedAsset> {
      const path = await scratch();
      if ('path' in content) await copyFile(content.path, path);
      else await writeFile(path, content.bytes);
      const asset_id = await register(path, filename);
      return {
        asset_id,
        url: `http://gateway.test/files/${asset_id}/${filename}`,
        page_url: `http://gateway.test/assets/${asset_id}`,
        content_type: contentType,
        size_bytes: (await stat(path)).size,
        filename,
      };
    },
    async readBytes(assetId) {
      const found = saved.get(assetId);
      if (!found) throw new Error(`No asset ${assetId}`);
      return await readFile(found.path);
    },
    async add(filename, bytes) {
      const path = await scratch();
      await writeFile(path, bytes);
      return await register(path, filename);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
