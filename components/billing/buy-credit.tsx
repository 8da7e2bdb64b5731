'use client';

import { useRef } from 'react';
import type { Preferences, PurchaseTerms, Quote } from '@/server/money/billing/schema';
import { fieldProblem, problemText } from '../shared/problem';
import { Segmented } from '../shared/segmented';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Checkbox } from '../ui/checkbox';
import { cn } from '../ui/cn';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { formatMoney } from '../ui/money';
import { Notice } from '../ui/notice';
import { cardName } from './card-words';
import { readPurchaseAmount } from './purchase-amount';
import { PurchaseBreakdown } from './purchase-breakdown';
import type { Billing } from './queries';
import { PRESETS, usePurchase } from './use-purchase';

interface PurchaseFormProps {
  billing: Billing;
  terms: PurchaseTerms;
  /** Of the amount that stands there first. */
  quote: Quote;
  savedCard: Preferences['saved_card'];
}

interface BuyCreditProps extends PurchaseFormProps {
  /** The team's name; null buys for oneself. */
  team: string | null;
  /** A payment is disputed: nothing is bought until that is decided. */
  disputed: boolean;
}

/** An amount, what it costs, and the way to the payment page. */
export function BuyCredit({ team, disputed, ...form }: BuyCreditProps) {
  return (
    <Card>
      <CardHeader title="Buy credit" description={team ? `For the team ${team}.` : undefined} />
      <CardBody>
        {disputed ? (
          <p className="text-muted text-sm">
            While a payment is disputed no more credit can be bought. This opens again by itself once the
            dispute is decided.
          </p>
        ) : (
          <PurchaseForm {...form} />
        )}
      </CardBody>
    </Card>
  );
}

function PurchaseForm({ billing, terms, quote, savedCard }: PurchaseFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const purchase = usePurchase(billing, terms, quote);
  const presets = PRESETS.filter((preset) => 'usd' in readPurchaseAmount('', preset, terms));

  function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!purchase.pay()) input.current?.focus();
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Segmented
        legend="Preset amounts"
        value={purchase.chosen}
        options={presets.map((preset) => ({ value: preset, label: `$${preset}` }))}
        onValueChange={purchase.write}
        className="grid auto-cols-fr grid-flow-col [&_label]:h-8 [&_label]:justify-center"
      />
      <Field
        label="Amount"
        hint={`From ${formatMoney(terms.min_usd)} to ${formatMoney(terms.max_usd)}, in dollars and whole cents.`}
        error={purchase.problem}
      >
        <Input
          ref={input}
          value={purchase.text}
          onChange={(event) => purchase.write(event.target.value)}
          inputMode="decimal"
          autoComplete="off"
        />
      </Field>
      <PurchaseBreakdown
        live
        quote={purchase.price}
        busy={purchase.pricing}
        className={cn('transition-opacity', purchase.pricing && 'opacity-60')}
      />
      <Checkbox
        label="Save this card for auto-reload"
        hint={
          savedCard
            ? `Replaces ${cardName(savedCard)}.`
            : 'Kept by the payment provider; charged later only as you set auto-reload.'
        }
        checked={purchase.saveCard}
        onChange={(event) => purchase.setSaveCard(event.target.checked)}
      />
      <PurchaseProblem error={purchase.error} />
      <Button type="submit" variant="primary" busy={purchase.busy}>
        Continue to payment
      </Button>
    </form>
  );
}

/** What went wrong beside the amount, which says it itself. */
function PurchaseProblem({ error }: { error: unknown }) {
  if (!error || fieldProblem(error, 'amount_usd')) return null;
  return (
    <Notice tone="danger" live>
      {problemText(error)}
    </Notice>
  );
}
