'use client';

import Link from 'next/link';
import type { AssetOverview, AssetPage } from '@/server/assets/schema';
import { AssetPreview } from '../results/asset-preview';
import { formatBytes } from '../shared/format-bytes';
import { playgroundPath } from '../shared/input-link';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { CopyButton } from '../ui/copy-button';
import { DateTime } from '../ui/date-time';
import { Dialog } from '../ui/dialog';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { Download, ExternalLink, Trash2 } from '../ui/icons';
import { Loading, Skeleton } from '../ui/skeleton';
import { formatCreator } from './asset-grid';
import { useAssetPage } from './queries';
import { toPath } from './to-path';

interface AssetDialogProps {
  assetId: string;
  uses: AssetOverview['uses'];
  onClose: () => void;
  onDelete: (file: { assetId: string; filename: string }) => void;
}

/** A file of the list: its preview, its details and the actions on it. */
export function AssetDialog({ assetId, uses, onClose, onDelete }: AssetDialogProps) {
  const query = useAssetPage(assetId);
  const asset = query.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={<span className="[overflow-wrap:anywhere]">{asset?.filename ?? 'File'}</span>}
      description={asset && `${asset.content_type}, ${formatBytes(asset.size_bytes)}`}
      className="sm:top-[6vh] sm:max-h-[88vh] sm:max-w-3xl"
    >
      {asset ? (
        <AssetContent asset={asset} uses={uses} onDelete={onDelete} />
      ) : query.isError ? (
        <AssetProblem query={query} />
      ) : (
        <div className="flex flex-col gap-4">
          <Loading label="Loading the file" />
          <Skeleton className="h-64 w-full" />
          <Skeleton className="h-9 w-2/3" />
        </div>
      )}
    </Dialog>
  );
}

function AssetProblem({ query }: { query: ReturnType<typeof useAssetPage> }) {
  const code = gatewayError(query.error)?.code;
  if (code === 'NOT_FOUND' || code === 'INVALID_INPUT')
    return (
      <EmptyState title="File not found">It was deleted, has expired, or the link is incomplete.</EmptyState>
    );
  return (
    <ErrorState
      title="The file could not be loaded"
      requestId={gatewayError(query.error)?.request_id}
      onRetry={() => query.refetch()}
      retrying={query.isFetching}
    >
      {problemText(query.error)}
    </ErrorState>
  );
}

function AssetContent({
  asset,
  uses,
  onDelete,
}: Omit<AssetDialogProps, 'assetId' | 'onClose'> & { asset: AssetPage }) {
  return (
    <div className="flex flex-col gap-5">
      <div className="[&_img]:max-h-[45dvh] [&_section]:max-h-[45dvh] [&_video]:max-h-[45dvh]">
        <AssetPreview asset={asset} src={toPath(asset.url)} />
      </div>
      <div className="flex flex-wrap gap-2">
        <a
          href={toPath(asset.download_url)}
          download
          className={buttonClass({ variant: 'primary', size: 'sm' })}
        >
          <Download aria-hidden />
          Download
        </a>
        <CopyButton value={asset.asset_id} label="Copy id" text variant="secondary" />
        <CopyButton value={asset.url} label="Copy URL" text variant="secondary" />
        <CopyButton value={asset.page_url} label="Copy link" text variant="secondary" />
        <Link href={`/assets/${asset.asset_id}`} prefetch={false} className={buttonClass({ size: 'sm' })}>
          <ExternalLink aria-hidden />
          Open page
        </Link>
        <Button
          size="sm"
          className="text-danger sm:ml-auto"
          onClick={() => onDelete({ assetId: asset.asset_id, filename: asset.filename })}
        >
          <Trash2 aria-hidden />
          Delete
        </Button>
      </div>
      <PlaygroundLinks asset={asset} uses={uses} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 border-t pt-4 text-sm">
        <Fact name="Id" mono>
          {asset.asset_id}
        </Fact>
        <Fact name="Created">
          <DateTime at={asset.created_at} format="exact" className="whitespace-normal" />
        </Fact>
        <Fact name="Created by">{formatCreator(asset)}</Fact>
        <Fact name="SHA-256" mono>
          {asset.sha256}
        </Fact>
      </dl>
    </div>
  );
}

function Fact({ name, mono, children }: { name: string; mono?: boolean; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className={mono ? 'break-all font-mono text-xs leading-5' : undefined}>{children}</dd>
    </>
  );
}

/** The skills that accept a file of this type, linked with the file filled in. */
function PlaygroundLinks({ asset, uses }: { asset: AssetPage; uses: AssetOverview['uses'] }) {
  const fitting = uses.filter(({ media_type }) => matchesMediaType(media_type, asset.content_type));
  if (fitting.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 border-t pt-4">
      <p className="font-medium text-sm">Use in the playground</p>
      <ul className="flex flex-wrap gap-2">
        {fitting.map(({ tool, skill, name, field }) => (
          <li key={`${tool} ${skill}`}>
            <Link
              href={playgroundPath(tool, skill, { [field]: asset.asset_id })}
              prefetch={false}
              className={buttonClass({ size: 'sm' })}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `image/*` matches every image type; any other media type must match exactly. */
function matchesMediaType(mediaType: string, contentType: string): boolean {
  return mediaType.endsWith('/*')
    ? mediaType === '*/*' || contentType.startsWith(mediaType.slice(0, -1))
    : mediaType === contentType;
}
