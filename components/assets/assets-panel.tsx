'use client';

import { useCallback, useRef, useState } from 'react';
import type { AssetFilter, AssetList, AssetOverview } from '@/server/assets/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { cn } from '../ui/cn';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { FolderOpen, SearchX, Upload } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { lazyPart } from '../ui/lazy-part';
import { LoadMore } from '../ui/load-more';
import { PageHeader } from '../ui/page-header';
import { toast } from '../ui/toast';
import { isFiltered, readAssetFilter } from './asset-filters';
import { AssetGrid } from './asset-grid';
import { type AssetLayout, AssetTools } from './asset-tools';
import { AssetsSkeletonRows } from './assets-skeleton';
import { DropTarget } from './drop-target';
import { useAssetOverview, useAssets } from './queries';
import { QuotaCard } from './quota-card';
import { useUploads } from './use-uploads';

// Loaded on demand: most visits do not use these.
const AssetTable = lazyPart(() => import('./asset-table').then((module) => module.AssetTable));
const UploadList = lazyOverlay(() => import('./upload-list').then((module) => module.UploadList));
const SelectionBar = lazyOverlay(() => import('./selection-bar').then((module) => module.SelectionBar));
const AssetDialog = lazyOverlay(() => import('./asset-dialog').then((module) => module.AssetDialog));
const DeleteAssetsDialog = lazyOverlay(() =>
  import('./delete-assets-dialog').then((module) => module.DeleteAssetsDialog),
);

interface AssetsPanelProps {
  overview: AssetOverview;
  list: AssetList;
  /** The filter of the server-rendered list. */
  filter: AssetFilter;
}

type FilesToDelete = readonly { assetId: string; filename: string }[];

/** The files of an account. Files dropped on the page are uploaded. */
export function AssetsPanel({ overview: initialOverview, list, filter: initialFilter }: AssetsPanelProps) {
  const [get, set] = useUrlQuery();
  const filter = readAssetFilter(get);
  const layout: AssetLayout = get('view') === 'list' ? 'list' : 'grid';
  const overview = useAssetOverview(initialOverview).data;
  const same = JSON.stringify(filter) === JSON.stringify(initialFilter);
  const query = useAssets(filter, same ? list : undefined);
  const uploads = useUploads(overview.upload_limit_bytes);
  const { selected, setSelected, select, deselect } = useSelection();
  const [doomed, setDoomed] = useState<FilesToDelete>([]);
  const opened = get('asset');
  useReturnFocus(opened !== null || doomed.length > 0);

  const assets = query.data?.pages.flatMap((page) => page.assets) ?? [];
  const chosen = assets.filter((asset) => selected.has(asset.asset_id));
  const open = (assetId: string) => set({ asset: assetId });
  const refuseFolder = useCallback(
    () => toast.info('Folders cannot be uploaded', { description: 'Drop the files inside it instead.' }),
    [],
  );

  function forget(assetIds: readonly string[]) {
    deselect(assetIds);
    if (opened && assetIds.includes(opened)) set({ asset: null });
  }

  return (
    <>
      <PageHeader
        title="Assets"
        description="Files you upload and files that tools create. Tools accept the id of any of them as input."
        actions={<UploadButton onFiles={uploads.add} />}
      />
      <DropTarget onFiles={uploads.add} onFolder={refuseFolder} />
      <QuotaCard overview={overview} />
      {uploads.uploads.length > 0 && (
        <UploadList
          uploads={uploads.uploads}
          onRemove={uploads.remove}
          onAgain={uploads.again}
          onClear={uploads.clear}
          onOpen={open}
        />
      )}
      <Card>
        {(overview.count > 0 || isFiltered(filter)) && (
          <AssetTools filter={filter} overview={overview} layout={layout} onChange={set} />
        )}
        <Files
          query={query}
          assets={assets}
          layout={layout}
          filtered={isFiltered(filter)}
          onClear={() => set({ q: null, kind: null, tool: null })}
          selected={selected}
          onSelect={select}
          onOpen={open}
          onFiles={uploads.add}
        />
      </Card>
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          all={assets.length}
          onAll={() => setSelected(new Set(assets.map((asset) => asset.asset_id)))}
          onClear={() => setSelected(new Set())}
          onDelete={() => setDoomed(chosen.map(({ asset_id: assetId, filename }) => ({ assetId, filename })))}
        />
      )}
      <AssetDialogs
        opened={opened}
        uses={overview.uses}
        onClose={() => set({ asset: null })}
        toDelete={doomed}
        onToDeleteChange={setDoomed}
        onDeleted={forget}
      />
    </>
  );
}

/** The ids of the selected files. */
function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return {
    selected,
    setSelected,
    select(assetId: string, on: boolean) {
      const next = new Set(selected);
      if (on) next.add(assetId);
      else next.delete(assetId);
      setSelected(next);
    },
    deselect: (assetIds: readonly string[]) =>
      setSelected(new Set([...selected].filter((id) => !assetIds.includes(id)))),
  };
}

interface AssetDialogsProps {
  /** The id of the file whose dialog is open. */
  opened: string | null;
  uses: AssetOverview['uses'];
  onClose: () => void;
  toDelete: FilesToDelete;
  onToDeleteChange: (files: FilesToDelete) => void;
  onDeleted: (assetIds: readonly string[]) => void;
}

/** The confirmation of a deletion replaces the dialog of a file. */
function AssetDialogs({ opened, uses, onClose, toDelete, onToDeleteChange, onDeleted }: AssetDialogsProps) {
  if (toDelete.length > 0)
    return (
      <DeleteAssetsDialog
        files={toDelete}
        open
        onOpenChange={(isOpen) => !isOpen && onToDeleteChange([])}
        onDeleted={onDeleted}
      />
    );
  if (opened === null) return null;
  return (
    <AssetDialog
      key={opened}
      assetId={opened}
      uses={uses}
      onClose={onClose}
      onDelete={(file) => onToDeleteChange([file])}
    />
  );
}

function UploadButton({
  onFiles,
  children,
}: {
  onFiles: (files: readonly File[]) => void;
  children?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files to upload"
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // Allow choosing the same file again.
          event.target.value = '';
        }}
      />
      <Button variant="primary" onClick={() => input.current?.click()}>
        <Upload aria-hidden />
        {children ?? 'Upload files'}
      </Button>
    </>
  );
}

interface FilesProps extends React.ComponentProps<typeof AssetGrid> {
  query: ReturnType<typeof useAssets>;
  layout: AssetLayout;
  filtered: boolean;
  onClear: () => void;
  onFiles: (files: readonly File[]) => void;
}

function Files({ query, layout, filtered, onClear, onFiles, ...list }: FilesProps) {
  if (query.isError && list.assets.length === 0)
    return (
      <ErrorState
        title="The files could not be loaded"
        requestId={gatewayError(query.error)?.request_id}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      >
        {problemText(query.error)}
      </ErrorState>
    );
  if (!query.data) return <AssetsSkeletonRows />;
  if (list.assets.length === 0) return <NoFiles filtered={filtered} onClear={onClear} onFiles={onFiles} />;
  return (
    <div
      aria-busy={query.isPlaceholderData}
      className={cn('transition-opacity', query.isPlaceholderData && 'opacity-60')}
    >
      {layout === 'grid' ? <AssetGrid {...list} /> : <AssetTable {...list} empty={null} />}
      <LoadMore
        hasMore={query.hasNextPage}
        loading={query.isFetchingNextPage}
        onLoadMore={() => query.fetchNextPage()}
        shown={formatCount(list.assets.length, 'file')}
        error={query.isFetchNextPageError ? problemText(query.error) : null}
      />
    </div>
  );
}

function NoFiles({ filtered, onClear, onFiles }: Pick<FilesProps, 'filtered' | 'onClear' | 'onFiles'>) {
  if (filtered)
    return (
      <EmptyState
        icon={<SearchX />}
        title="No files match"
        action={<Button onClick={onClear}>Show all files</Button>}
      >
        Try another part of the name, or another kind.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<FolderOpen />}
      title="No files yet"
      action={<UploadButton onFiles={onFiles}>Choose files</UploadButton>}
    >
      Drop files anywhere on this page, or paste an image. Files that tools create, such as charts and
      screenshots, appear here too.
    </EmptyState>
  );
}
