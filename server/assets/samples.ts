import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { withErrorListener } from '../kit/error-listener';
import { fromRoot } from '../kit/from-root';

const FOLDER = 'server/assets/samples';
const PREFIX = 'asset_sample_';

/** Files used in tool examples. Everyone can read them; they belong to no account. */
const SAMPLES = {
  photo: { filename: 'photo.jpg', contentType: 'image/jpeg' },
  logo: { filename: 'logo.png', contentType: 'image/png' },
  report: { filename: 'report.pdf', contentType: 'application/pdf' },
  sales: { filename: 'sales.csv', contentType: 'text/csv' },
  clip: { filename: 'clip.mp4', contentType: 'video/mp4' },
  tone: { filename: 'tone.mp3', contentType: 'audio/mpeg' },
} as const;

export interface Sample {
  id: string;
  path: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  createdAt: Date;
}

const known = new Map<string, Promise<Sample>>();

/** Finds a sample; null if none has this id. */
export async function findSample(assetId: string): Promise<Sample | null> {
  if (!assetId.startsWith(PREFIX)) return null;
  const name = assetId.slice(PREFIX.length);
  if (!Object.hasOwn(SAMPLES, name)) return null;
  const sample = known.get(name) ?? describe(assetId, SAMPLES[name as keyof typeof SAMPLES]);
  known.set(name, sample);
  return await sample;
}

async function describe(id: string, file: { filename: string; contentType: string }): Promise<Sample> {
  const path = join(fromRoot(FOLDER), file.filename);
  const [bytes, { mtime }] = await Promise.all([readFile(path), stat(path)]);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { id, path, ...file, sizeBytes: bytes.byteLength, sha256, createdAt: mtime };
}

export function readSample(
  sample: Sample,
  range?: { start: number; end: number },
): AsyncIterable<Uint8Array> {
  return withErrorListener(createReadStream(sample.path, range));
}
