'use client';

import { ExternalLink } from 'lucide-react';
import Link from 'next/link';
import type { OwnJobDetail } from '@/server/jobs/schema';
import { AssetPreview } from '../assets/asset-preview';
import { formatBytes } from '../assets/format-bytes';
import { Code } from '../ui/code-block';
import { CopyButton } from '../ui/copy-button';
import { Loading, Skeleton } from '../ui/skeleton';
import { useAssetPage } from './queries';
import { assetsIn } from './result-assets';

/** More of a result is copied, not shown: colouring it would hold the page up. */
const MAX_SHOWN_CHARS = 20_000;

/** What a completed job gave: its files as they can be shown, and all of it as JSON. */
export function JobResult({ result }: { result: NonNullable<OwnJobDetail['result']> }) {
  const output = result.output ?? {};
  const json = JSON.stringify(output, null, 2);
  const cut = json.length > MAX_SHOWN_CHARS;
  const assets = assetsIn(output);
  return (
    <section aria-label="Result" className="flex flex-col gap-2">
      <div className="flex h-8 items-center justify-between gap-3">
        <h3 className="font-semibold text-sm">Result</h3>
        <CopyButton value={json} label="Copy the result" />
      </div>
      {assets.map((id) => (
        <ResultAsset key={id} id={id} />
      ))}
      <div className="overflow-hidden rounded-lg border bg-sunken">
        <Code
          code={cut ? json.slice(0, MAX_SHOWN_CHARS) : json}
          label="Output as JSON"
          wrap
          className="max-h-96"
        />
        {cut && (
          <p className="border-t px-4 py-2 text-muted text-sm">The beginning of it. Copy it to have all.</p>
        )}
      </div>
    </section>
  );
}

function ResultAsset({ id }: { id: string }) {
  const { data: asset, isError } = useAssetPage(id);
  const href = `/assets/${encodeURIComponent(id)}`;
  return (
    <figure className="flex flex-col gap-1.5">
      {asset ? (
        <AssetPreview asset={asset} src={new URL(asset.url).pathname} />
      ) : isError ? (
        <p className="rounded-lg border bg-sunken p-4 text-muted text-sm">
          The file <code className="font-mono">{id}</code> is no longer there.
        </p>
      ) : (
        <>
          <Loading label="Loading a file" />
          <Skeleton className="h-40 w-full rounded-lg" />
        </>
      )}
      {asset && (
        <figcaption className="flex flex-wrap items-center gap-x-3 text-sm">
          <Link href={href} className="link inline-flex min-w-0 items-center gap-1.5 break-all">
            {asset.filename}
            <ExternalLink aria-hidden className="size-3.5 shrink-0" />
          </Link>
          <span className="text-muted">
            {asset.content_type}, {formatBytes(asset.size_bytes)}
          </span>
        </figcaption>
      )}
    </figure>
  );
}
