'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { formatBytes } from '../shared/format-bytes';
import { errorText, gatewayError, trpc } from '../shared/trpc-provider';
import { ErrorState } from '../ui/error-state';
import { Skeleton } from '../ui/skeleton';
import { AssetPreview } from './asset-preview';

/** Previews of the files that a call created. */
export function ResultFiles({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <section aria-label="Files" className="flex flex-col gap-4">
      {ids.map((id) => (
        <ResultFile key={id} id={id} />
      ))}
    </section>
  );
}

function ResultFile({ id }: { id: string }) {
  const { data, isError, error, refetch, isFetching } = useAssetPage(id);
  if (isError && !data) {
    if (gatewayError(error)?.code === 'NOT_FOUND')
      return (
        <p className="rounded-lg border bg-sunken p-4 text-muted text-sm">
          The file <code className="break-all font-mono">{id}</code> is no longer available.
        </p>
      );
    return (
      <ErrorState title="The file could not be loaded" onRetry={() => refetch()} retrying={isFetching}>
        {errorText(error)}
      </ErrorState>
    );
  }
  if (!data) return <Skeleton className="h-48 w-full" />;
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <AssetPreview asset={data} src={new URL(data.url).pathname} />
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <Link href={`/assets/${id}`} className="link min-w-0 truncate">
          {data.filename}
        </Link>
        <span className="text-muted">
          {data.content_type}, {formatBytes(data.size_bytes)}
        </span>
      </figcaption>
    </figure>
  );
}

/** Files are immutable, so they never refetch. */
function useAssetPage(assetId: string) {
  return useQuery({
    queryKey: ['asset', assetId],
    queryFn: ({ signal }) => trpc.assets.page.query({ assetId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}
