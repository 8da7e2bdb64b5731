import type { ReactNode } from 'react';
import type { ClaimPreview } from '@/server/identity/accounts/schema';
import { cn } from '../ui/cn';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';
import { Money } from '../ui/money';

/** What a claim transfers. */
export function ClaimFacts({ preview }: { preview: ClaimPreview }) {
  return (
    <div className="overflow-hidden rounded-lg border">
      <ClaimKeys keys={preview.keys} bare />
      <dl className="grid grid-cols-2 gap-px border-t bg-line text-sm sm:grid-cols-3">
        {/* A date and time are wider than a column. */}
        <Fact name="Created" className="col-span-2">
          {preview.created_at ? <DateTime at={preview.created_at} format="exact" /> : '—'}
        </Fact>
        <Fact name="Calls">{formatNumber(preview.calls)}</Fact>
        <Fact name="Credit">
          <Money usd={preview.credits_usd} />
        </Fact>
        <Fact name="Assets">{formatNumber(preview.assets)}</Fact>
        <Fact name="Reviews">{formatNumber(preview.reviews)}</Fact>
      </dl>
    </div>
  );
}

function Fact({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div className={cn('bg-surface px-4 py-2.5', className)}>
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

interface ClaimKeysProps {
  keys: ClaimPreview['keys'];
  /** Without its own frame, for use inside one. */
  bare?: boolean;
}

export function ClaimKeys({ keys, bare }: ClaimKeysProps) {
  return (
    <ul aria-label="Keys" className={bare ? 'divide-y text-sm' : 'divide-y rounded-lg border text-sm'}>
      {keys.map((key) => (
        <li
          key={key.key_prefix}
          className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 px-4 py-2.5"
        >
          <span className="min-w-0 break-words font-medium">{key.name}</span>
          <code className="font-mono text-muted text-xs">{key.key_prefix}</code>
        </li>
      ))}
    </ul>
  );
}
