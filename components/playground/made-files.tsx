'use client';

import Link from 'next/link';
import { AssetPreview } from '../assets/asset-preview';
import { formatBytes } from '../assets/format-bytes';
import { errorText } from '../trpc-provider';
import { ErrorState } from '../ui/error-state';
import { Skeleton } from '../ui/skeleton';
import { useAssetPage } from './queries';

const MAX_SHOWN = 6;
const MAX_PARTS = 2_000;

/** The ids of the files in an output, in their order, each once. */
export function filesIn(output: unknown): string[] {
  const found = new Set<string>();
  const open: unknown[] = [output];
  for (let parts = 0; open.length > 0 && parts < MAX_PARTS; parts++) {
    const at = open.shift();
    if (typeof at !== 'object' || at === null) continue;
    if ('asset_id' in at && typeof at.asset_id === 'string') found.add(at.asset_id);
    open.push(...Object.values(at));
  }
  return [...found];
}

/** The files that a call has made, as far as they can be shown. */
export function MadeFiles({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <section aria-label="Files" className="flex flex-col gap-4">
      {ids.slice(0, MAX_SHOWN).map((id) => (
        <MadeFile key={id} id={id} />
      ))}
      {ids.length > MAX_SHOWN && (
        <p className="text-muted text-sm">
          And {ids.length - MAX_SHOWN} more.{' '}
          <Link href="/dashboard/assets" className="link">
            See all your files
          </Link>
        </p>
      )}
    </section>
  );
}

function MadeFile({ id }: { id: string }) {
  const { data, isError, error, refetch, isFetching } = useAssetPage(id);
  if (isError && !data)
    return (
      <ErrorState title="The file could not be loaded" onRetry={() => refetch()} retrying={isFetching}>
        {errorText(error)}
      </ErrorState>
    );
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
