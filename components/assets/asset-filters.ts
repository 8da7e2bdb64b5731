import type { AssetFilter, AssetKind } from '@/server/assets/schema';

/** How the kinds are called, in the order they are offered. */
export const KIND_NAMES: Readonly<Record<AssetKind, string>> = {
  image: 'Images',
  audio: 'Audio',
  video: 'Video',
  pdf: 'PDF',
  text: 'Text',
  other: 'Other',
};

/** How uploads are called where a tool is named. */
export const UPLOAD = 'upload';

/** The first page is made on the server too: both ask for the same. */
export const ASSETS_PAGE = 36;

type Get = (name: string) => string | null | undefined;

function isKind(text: string): text is AssetKind {
  return Object.hasOwn(KIND_NAMES, text);
}

/** What the URL of the page asks for; what it cannot ask for is left out. */
export function readAssetFilter(get: Get): AssetFilter {
  const kind = get('kind') ?? '';
  const q = get('q')?.trim().slice(0, 200);
  const tool = get('tool')?.slice(0, 64);
  return {
    ...(q ? { q } : {}),
    ...(isKind(kind) ? { kind } : {}),
    ...(tool ? { tool } : {}),
    sort: get('sort') === 'largest' ? 'largest' : 'newest',
  };
}

/** Whether it leaves anything out. */
export function isFiltered({ q, kind, tool }: AssetFilter): boolean {
  return q !== undefined || kind !== undefined || tool !== undefined;
}
