import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toGatewayError } from '../errors.js';
import type { Session } from './session.js';
import { usageError } from './usage-error.js';

/** Bounds the recursion; results are never nested this deeply. */
const MAX_DEPTH = 32;
const ASSET_ID = /^asset_[0-9a-z_]{1,80}$/;
const MAX_NAME_CHARS = 120;

/** A file that a call created. */
export interface CreatedFile {
  assetId: string;
  filename: string | undefined;
}

/** Lists the files that a result refers to by asset_id, without duplicates. */
export function findCreatedFiles(output: unknown): CreatedFile[] {
  const found = new Map<string, CreatedFile>();
  const visit = (value: unknown, depth: number) => {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    const { asset_id: assetId, filename } = value as Record<string, unknown>;
    if (typeof assetId === 'string' && ASSET_ID.test(assetId) && !found.has(assetId))
      found.set(assetId, { assetId, filename: typeof filename === 'string' ? filename : undefined });
    for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit(output, 0);
  return [...found.values()];
}

/**
 * Saves an asset. The file appears only after the download is complete.
 * @param target a file, or a folder (existing, or with a trailing slash) to save it in
 * @returns the path of the saved file
 * @throws GatewayError USAGE when the file exists and `force` is false, ASSET_NOT_FOUND
 */
export async function saveAsset(
  session: Session,
  { assetId, filename }: CreatedFile,
  target: string,
  force: boolean,
): Promise<string> {
  const path = await resolveTarget(target, filename ?? assetId);
  if (!force && (await getPathKind(path)) !== 'none')
    throw usageError(`${path} already exists.`, 'Choose another name, or use --force to overwrite it.');
  const bytes = await openAsset(session, assetId);
  const temporaryPath = `${path}.part-${process.pid}`;
  try {
    await pipeline(bytes, createWriteStream(temporaryPath, { flags: 'wx' }), { signal: session.signal });
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
  return path;
}

/** Opens an asset as a stream. @throws GatewayError */
export async function openAsset(session: Session, assetId: string): Promise<Readable> {
  const client = await session.client();
  const { data, error, response } = await client.api.GET('/v1/assets/{assetId}', {
    params: { path: { assetId } },
    parseAs: 'stream',
  });
  if (!data) throw toGatewayError(response.status, error);
  return Readable.fromWeb(data as Parameters<typeof Readable.fromWeb>[0]);
}

/** Makes an untrusted file name safe: no folders, hidden files or control characters. */
export function safeName(name: string): string {
  const bare = basename(name.replaceAll('\\', '/'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
    .replace(/[\u0000-\u001f\u007f"*:<>?|]/g, '_')
    .replace(/^\.+/, '')
    .slice(-MAX_NAME_CHARS);
  return bare === '' ? 'file' : bare;
}

async function resolveTarget(target: string, name: string): Promise<string> {
  const isFolder = /[/\\]$/.test(target) || (await getPathKind(target)) === 'folder';
  if (!isFolder) return target;
  await mkdir(target, { recursive: true });
  return join(target, safeName(name));
}

async function getPathKind(path: string): Promise<'none' | 'file' | 'folder'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'none';
  }
}
