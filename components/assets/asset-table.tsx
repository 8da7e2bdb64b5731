'use client';

import type { ReactNode } from 'react';
import type { ListedAsset } from '@/server/assets/schema';
import { formatBytes } from '../shared/format-bytes';
import { Checkbox } from '../ui/checkbox';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { type AssetListProps, formatCreator } from './asset-grid';
import { AssetThumb } from './asset-thumb';

/** Files as a table. */
export function AssetTable({
  assets,
  selected,
  onSelect,
  onOpen,
  empty,
}: AssetListProps & { empty: ReactNode }) {
  const columns: Column<ListedAsset>[] = [
    {
      id: 'name',
      title: 'Name',
      phone: 'title',
      cell: (asset) => (
        <span className="flex min-w-0 items-center gap-3">
          <AssetThumb asset={asset} size="sm" className="size-9 shrink-0 rounded-sm border" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{asset.filename}</span>
        </span>
      ),
    },
    {
      id: 'type',
      title: 'Type',
      phone: 'none',
      cell: (asset) => asset.content_type,
      className: 'text-muted',
    },
    { id: 'made', title: 'Created by', phone: 'note', cell: formatCreator, className: 'text-muted' },
    {
      id: 'size',
      title: 'Size',
      numeric: true,
      phone: 'aside',
      cell: (asset) => formatBytes(asset.size_bytes),
    },
    {
      id: 'at',
      title: 'Created',
      time: true,
      phone: 'none',
      cell: (asset) => <DateTime at={asset.created_at} />,
    },
    {
      id: 'select',
      title: 'Select',
      titleHidden: true,
      phone: 'corner',
      className: 'sm:w-16 sm:text-right',
      cell: (asset) => (
        <Checkbox
          label={<span className="sr-only">Select {asset.filename}</span>}
          className="inline-flex gap-0 p-1 align-middle [&>span:first-child]:mt-0"
          checked={selected.has(asset.asset_id)}
          onChange={(event) => onSelect(asset.asset_id, event.target.checked)}
        />
      ),
    },
  ];
  return (
    <DataTable
      caption="Files"
      columns={columns}
      rows={assets}
      keyOf={(asset) => asset.asset_id}
      onOpen={(asset) => onOpen(asset.asset_id)}
      empty={empty}
    />
  );
}
