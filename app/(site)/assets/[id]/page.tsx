import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { AssetView } from '@/components/assets/asset-view';
import { TooManyAssets } from '@/components/assets/too-many-assets';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';

interface Props {
  params: Promise<{ id: string }>;
}

const LIMITED = 'limited';

/**
 * Cached per request, because the page and its metadata both read it. Returns null for an unknown
 * asset and `LIMITED` for a client over its rate limit.
 */
const findAsset = cache(async (assetId: string) => {
  const api = await createCaller();
  try {
    return await api.assets.page({ assetId });
  } catch (error) {
    const { code } = toGatewayError(error);
    if (code === 'ASSET_NOT_FOUND' || code === 'INVALID_INPUT') return null;
    if (code === 'RATE_LIMIT_EXCEEDED') return LIMITED;
    throw error;
  }
});

/** Anyone with the URL can read the file, so the page sends no referrer and is not indexed. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const asset = await findAsset((await params).id);
  return {
    title: asset === LIMITED ? 'Too many requests' : (asset?.filename ?? 'Not found'),
    referrer: 'no-referrer',
    robots: { index: false, follow: false },
  };
}

export default async function AssetPage({ params }: Props) {
  const asset = await findAsset((await params).id);
  if (!asset) notFound();
  if (asset === LIMITED) return <TooManyAssets />;
  return <AssetView asset={asset} />;
}
