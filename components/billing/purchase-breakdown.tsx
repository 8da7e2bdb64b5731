import type { Quote } from '@/server/money/billing/schema';
import { cn } from '../ui/cn';
import { formatMoney, Money } from '../ui/money';

const PARTS = [
  { label: 'Credit', field: 'credit_usd' },
  { label: 'Fee', field: 'fee_usd' },
  { label: 'Total', field: 'total_usd' },
] as const satisfies readonly { label: string; field: keyof Quote }[];

interface PurchaseBreakdownProps {
  /** Undefined while loading or if the amount is invalid: the rows keep their place. */
  quote: Quote | undefined;
  /** How the fee is computed: "5.5%, at least $0.80". */
  feeRule?: string;
  busy?: boolean;
  /** Announces changes; for use next to a field that is being typed into. */
  live?: boolean;
  className?: string;
}

/** The credit, the fee and the total. */
export function PurchaseBreakdown({ quote, feeRule, busy, live, className }: PurchaseBreakdownProps) {
  return (
    <>
      <dl className={cn('text-sm', className)} aria-busy={busy}>
        {PARTS.map(({ label, field }) => (
          <div
            key={field}
            className={cn(
              'flex justify-between gap-6 py-1',
              field === 'total_usd' && 'mt-1 border-t pt-2 font-semibold text-base',
            )}
          >
            <dt className={field === 'total_usd' ? undefined : 'text-muted'}>
              <span>{label}</span>
              {field === 'fee_usd' && feeRule && <span>: {feeRule}</span>}
            </dt>
            <dd>{quote ? <Money usd={quote[field]} /> : <span className="text-muted">—</span>}</dd>
          </div>
        ))}
      </dl>
      {live && (
        <p role="status" className="sr-only">
          {quote && `Fee ${formatMoney(quote.fee_usd)}, total ${formatMoney(quote.total_usd)}`}
        </p>
      )}
    </>
  );
}
