'use client';

import type { Preferences } from '@/server/money/billing/schema';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { CreditCard } from '../ui/icons';
import { cardExpiry, cardName, isExpired } from './card-words';
import type { Billing } from './queries';
import { useRedirect } from './use-redirect';

interface SavedCardProps {
  billing: Billing;
  card: Preferences['saved_card'];
}

/** The card that auto-recharge charges, and the link to the provider's page to manage it. */
export function SavedCard({ billing, card }: SavedCardProps) {
  const { busy, leave, error } = useRedirect();
  return (
    <section aria-label="Saved card" className="flex flex-col gap-2 border-t p-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 items-center gap-3 text-sm">
          <CreditCard aria-hidden className="size-4 shrink-0 text-muted" />
          {card ? (
            <p className="min-w-0">
              <span className="font-medium">{cardName(card)}</span>{' '}
              <span className="whitespace-nowrap text-muted">expires {cardExpiry(card)}</span>{' '}
              {isExpired(card, new Date()) && <Badge tone="danger">Expired</Badge>}
            </p>
          ) : (
            <p className="text-muted">No card is saved</p>
          )}
        </div>
        <Button
          size="sm"
          busy={busy}
          onClick={() => leave(() => trpc.billing.portal.mutate({ billing }))}
          title="Opens the payment provider’s page"
        >
          Manage cards
        </Button>
      </div>
      <p role="alert" className="text-danger text-sm empty:hidden">
        {error ? problemText(error) : null}
      </p>
    </section>
  );
}
