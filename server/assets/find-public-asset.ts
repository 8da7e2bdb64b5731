import { GatewayError } from '../core/errors/gateway-error';
import type { Runtime } from '../core/runtime';
import { buildThumbnailKey } from './blob-keys';
import { findSample, readSample } from './samples';
import type { AssetMeta } from './schema';
import { type AssetRow, findAsset } from './store';

type Range = { start: number; end: number };

/** An asset. Knowing its id is enough to read it. */
export interface PublicAsset {
  meta: AssetMeta;
  /** Rejects if the store fails. */
  open(range?: Range): Promise<AsyncIterable<Uint8Array>>;
  thumbnail: { sizeBytes: number; open(range?: Range): Promise<AsyncIterable<Uint8Array>> } | null;
}

/** Finds a stored asset or a sample; null if there is none with this id. */
export async function findPublicAsset(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  assetId: string,
): Promise<PublicAsset | null> {
  const sample = await findSample(assetId);
  if (sample) {
    const { filename, contentType, sizeBytes, sha256, createdAt } = sample;
    const meta = describe({ filename, contentType, sizeBytes, sha256, createdAt, id: assetId });
    return { meta, open: async (range) => readSample(sample, range), thumbnail: null };
  }
  const row = await findAsset(runtime.db, assetId);
  if (!row) return null;
  const open = (key: string) => async (range?: Range) => {
    const bytes = await runtime.ports.blob.read(key, range);
    if (!bytes) throw new Error(`The store has no bytes for ${assetId}`);
    return bytes;
  };
  return {
    meta: describeAsset(row),
    open: open(row.blobKey),
    thumbnail:
      row.thumbnailKey === null || row.thumbnailBytes === null
        ? null
        : { sizeBytes: row.thumbnailBytes, open: open(buildThumbnailKey(row.blobKey)) },
  };
}

/** @throws GatewayError ASSET_NOT_FOUND */
export async function getPublicAsset(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  assetId: string,
): Promise<PublicAsset> {
  const asset = await findPublicAsset(runtime, assetId);
  if (asset) return asset;
  throw new GatewayError('ASSET_NOT_FOUND', {
    message: 'There is no such asset.',
    hint: 'Check the id; files are removed when their time is over.',
  });
}

export function describeAsset(row: AssetRow): AssetMeta {
  return describe({
    ...row,
    sha256: row.sha256 ?? '',
    hasThumbnail: row.thumbnailKey !== null,
  });
}

interface Facts {
  id: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  sha256: string;
  createdAt: Date;
  tool?: string | null;
  skill?: string | null;
  hasThumbnail?: boolean;
}

function describe(facts: Facts): AssetMeta {
  return {
    asset_id: facts.id,
    content_type: facts.contentType,
    size_bytes: facts.sizeBytes,
    tool: facts.tool ?? null,
    skill: facts.skill ?? null,
    created_at: facts.createdAt.toISOString(),
    has_thumbnail: facts.hasThumbnail ?? false,
    filename: facts.filename,
    sha256: facts.sha256,
  };
}
