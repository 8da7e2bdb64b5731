import type { Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, relative, sep } from 'node:path';
import { IMMUTABLE, NOSNIFF } from '../../core/http/headers';

export const STATIC_PREFIX = '/_next/static/';
const TYPES: Record<string, string> = {
  js: 'application/javascript; charset=UTF-8',
  css: 'text/css; charset=UTF-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=UTF-8',
  txt: 'text/plain; charset=UTF-8',
};
/** In order of preference. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

type Encoding = (typeof ENCODINGS)[number]['name'];

interface StaticFile {
  type: string;
  paths: Partial<Record<Encoding, string>>;
  bodies: Partial<Record<Encoding, Buffer>>;
}

/** Answers a request if it names a static file; returns whether it did. */
export type StaticFiles = (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;

/**
 * Serves built scripts and styles from the compressed files that `npm run build` wrote next to
 * them: a fifth smaller than compression at request time. Only files that were in the folder at
 * start are served, so no path can escape it; Next answers everything else.
 */
export async function openStaticFiles(folder: string): Promise<StaticFiles> {
  const files = await listFiles(folder);
  return async (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return false;
    const url = req.url ?? '';
    if (!url.startsWith(STATIC_PREFIX)) return false;
    const file = files.get(decodeName(url.slice(STATIC_PREFIX.length).split('?', 1)[0] ?? ''));
    const encoding = file && chooseEncoding(file, req.headers['accept-encoding']);
    if (!file || !encoding) return false;
    const body = await readBody(file, encoding);
    res.writeHead(200, {
      'Content-Type': file.type,
      'Content-Encoding': encoding,
      'Content-Length': body.byteLength,
      // Filenames contain a content hash, so cached copies never become stale.
      'Cache-Control': IMMUTABLE,
      'Cross-Origin-Resource-Policy': 'same-origin',
      ...NOSNIFF,
      Vary: 'Accept-Encoding',
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    return true;
  };
}

async function listFiles(folder: string): Promise<Map<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  for (const entry of await listEntries(folder)) {
    const path = join(entry.parentPath, entry.name);
    const encoding = ENCODINGS.find(({ suffix }) => entry.name.endsWith(suffix));
    if (!entry.isFile() || !encoding) continue;
    const name = relative(folder, path).split(sep).join('/').slice(0, -encoding.suffix.length);
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
    if (!type) continue;
    const file = files.get(name) ?? { type, paths: {}, bodies: {} };
    file.paths[encoding.name] = path;
    files.set(name, file);
  }
  return files;
}

/** Empty in development, where there is no build. */
async function listEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { recursive: true, withFileTypes: true });
  } catch {
    return [];
  }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return '';
  }
}

function chooseEncoding(file: StaticFile, accepted: string | string[] | undefined): Encoding | undefined {
  const taken = String(accepted ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';', 1)[0]?.trim());
  return ENCODINGS.find(({ name }) => file.paths[name] && taken.includes(name))?.name;
}

/** Cached in memory once read: all files together are about a megabyte. */
async function readBody(file: StaticFile, encoding: Encoding): Promise<Buffer> {
  const body = file.bodies[encoding] ?? (await readFile(file.paths[encoding] ?? ''));
  file.bodies[encoding] = body;
  return body;
}
