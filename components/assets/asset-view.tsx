import Link from 'next/link';
import type { ReactNode } from 'react';
import type { AssetPage } from '@/server/assets/schema';
import { AssetPreview } from '../results/asset-preview';
import { formatBytes } from '../shared/format-bytes';
import { buttonClass } from '../ui/button-class';
import { CopyButton } from '../ui/copy-button';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';
import { Download } from '../ui/icons';
import { PageHeader } from '../ui/page-header';
import { toPath } from './to-path';

const SAMPLE = 'asset_sample_';

/** The page of one file. */
export function AssetView({ asset }: { asset: AssetPage }) {
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-6 px-4 py-8 sm:px-6 sm:py-10">
      <PageHeader
        title={<span className="break-words [overflow-wrap:anywhere]">{asset.filename}</span>}
        description={`${asset.content_type}, ${formatBytes(asset.size_bytes)}`}
        actions={
          <>
            <a href={toPath(asset.download_url)} download className={buttonClass({ variant: 'primary' })}>
              <Download aria-hidden />
              Download
            </a>
            <CopyButton value={asset.asset_id} label="Copy id" text variant="secondary" size="md" />
            <CopyButton value={asset.url} label="Copy URL" text variant="secondary" size="md" />
          </>
        }
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <section aria-label="Preview" className="min-w-0">
          <AssetPreview asset={asset} src={toPath(asset.url)} />
        </section>
        <Facts asset={asset} />
      </div>
    </div>
  );
}

function Facts({ asset }: { asset: AssetPage }) {
  return (
    <aside aria-label="Details" className="self-start rounded-lg border bg-surface">
      <dl className="divide-y text-sm">
        <Fact name="Id" mono>
          {asset.asset_id}
        </Fact>
        <Fact name="Type">{asset.content_type}</Fact>
        <Fact name="Size">
          {formatBytes(asset.size_bytes)} ({formatNumber(asset.size_bytes)} bytes)
        </Fact>
        <Fact name="Created">
          <DateTime at={asset.created_at} format="exact" />
        </Fact>
        <Fact name="Created by">
          {asset.tool ? (
            <>
              <Link href={`/tools/${asset.tool}`} className="text-accent hover:underline">
                {asset.tool}
              </Link>{' '}
              {asset.skill}
            </>
          ) : asset.asset_id.startsWith(SAMPLE) ? (
            'Sample file of the gateway'
          ) : (
            'Upload'
          )}
        </Fact>
        <Fact name="SHA-256" mono>
          {asset.sha256}
        </Fact>
        <Fact name="URL" mono>
          {asset.url}
        </Fact>
      </dl>
    </aside>
  );
}

function Fact({ name, mono, children }: { name: string; mono?: boolean; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5 px-4 py-2.5">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className={mono ? 'break-all font-mono text-xs' : '[overflow-wrap:anywhere]'}>{children}</dd>
    </div>
  );
}
