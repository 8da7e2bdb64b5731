import { MAX_QUERY_LENGTH } from '@/server/assets/limits';
import type { AssetFilter, AssetKind } from '@/server/assets/schema';

/** Labels of the kinds, in the order of the filter. */
export const KIND_NAMES: Readonly<Record<AssetKind, string>> = {
  image: 'Images',
  audio: 'Audio',
  video: 'Video',
  pdf: 'PDF',
  text: 'Text',
  other: 'Other',
};

/** The filter value for uploads, in place of a tool's name. */
export const UPLOAD = 'upload';

/** Page size. The server and the browser must request the same first page. */
export const ASSETS_PAGE = 36;

type Get = (name: string) => string | null | undefined;

function isKind(text: string): text is AssetKind {
  return Object.hasOwn(KIND_NAMES, text);
}

/** Reads the filter from the URL and drops invalid values. */
export function readAssetFilter(get: Get): AssetFilter {
  const kind = get('kind') ?? '';
  const q = get('q')?.trim().slice(0, MAX_QUERY_LENGTH);
  const tool = get('tool')?.slice(0, 64);
  return {
    ...(q ? { q } : {}),
    ...(isKind(kind) ? { kind } : {}),
    ...(tool ? { tool } : {}),
    sort: get('sort') === 'largest' ? 'largest' : 'newest',
  };
}

/** Whether any filter is set. */
export function isFiltered({ q, kind, tool }: AssetFilter): boolean {
  return q !== undefined || kind !== undefined || tool !== undefined;
}
