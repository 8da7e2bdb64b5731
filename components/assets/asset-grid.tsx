'use client';

import type { ListedAsset } from '@/server/assets/schema';
import { formatBytes } from '../shared/format-bytes';
import { Checkbox } from '../ui/checkbox';
import { DateTime } from '../ui/date-time';
import { AssetThumb } from './asset-thumb';

export interface AssetListProps {
  assets: readonly ListedAsset[];
  selected: ReadonlySet<string>;
  onSelect: (assetId: string, selected: boolean) => void;
  onOpen: (assetId: string) => void;
}

/** Files as a grid of thumbnails. */
export function AssetGrid({ assets, selected, onSelect, onOpen }: AssetListProps) {
  return (
    <ul
      aria-label="Files"
      className="grid grid-cols-2 gap-3 p-4 sm:grid-cols-3 sm:gap-4 sm:p-5 lg:grid-cols-4 xl:grid-cols-5"
    >
      {assets.map((asset) => (
        <li
          key={asset.asset_id}
          className="relative flex min-w-0 flex-col overflow-hidden rounded-lg border bg-surface transition-colors hover:border-line-strong has-checked:border-accent has-checked:ring-1 has-checked:ring-accent"
        >
          <button
            type="button"
            aria-haspopup="dialog"
            className="flex min-w-0 flex-1 flex-col text-left focus-visible:-outline-offset-2"
            onClick={() => onOpen(asset.asset_id)}
          >
            <AssetThumb asset={asset} className="aspect-4/3 w-full border-b" />
            <span className="flex w-full min-w-0 flex-col gap-0.5 px-3 py-2.5">
              <span className="truncate font-medium text-sm" title={asset.filename}>
                {asset.filename}
              </span>
              <span className="flex flex-wrap items-baseline justify-between gap-x-2 text-muted text-xs">
                <span className="whitespace-nowrap">{formatBytes(asset.size_bytes)}</span>
                <DateTime at={asset.created_at} format="date" />
              </span>
              <span className="truncate text-muted text-xs">{formatCreator(asset)}</span>
            </span>
          </button>
          <div className="absolute top-2 left-2 rounded-md bg-surface/90 p-1.5">
            <Checkbox
              label={<span className="sr-only">Select {asset.filename}</span>}
              className="gap-0 [&>span:first-child]:mt-0"
              checked={selected.has(asset.asset_id)}
              onChange={(event) => onSelect(asset.asset_id, event.target.checked)}
            />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What created the file: `image resize`, or `Upload`. */
export function formatCreator({ tool, skill }: Pick<ListedAsset, 'tool' | 'skill'>): string {
  return tool ? [tool, skill].filter(Boolean).join(' ') : 'Upload';
}
