'use client';

import { useRef } from 'react';
import { describeFee } from '@/server/money/billing/limits';
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
  /** The quote for the initial amount. */
  quote: Quote;
  savedCard: Preferences['saved_card'];
}

interface BuyCreditProps extends PurchaseFormProps {
  /** The team's name; null for the personal account. */
  team: string | null;
  /** Whether a payment is disputed, which blocks purchases. */
  disputed: boolean;
}

/** Amount, price and the button to the payment page. */
export function BuyCredit({ team, disputed, ...form }: BuyCreditProps) {
  return (
    <Card>
      <CardHeader title="Buy credit" description={team ? `For the team ${team}.` : undefined} />
      <CardBody>
        {disputed ? (
          <p className="text-muted text-sm">
            You can’t buy credit while a payment is disputed. Purchases resume once the dispute is resolved.
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
        hint={`From ${formatMoney(terms.min_usd)} to ${formatMoney(terms.max_usd)}, in dollars and cents.`}
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
        feeRule={describeFee(terms)}
        busy={purchase.pricing}
        className={cn('transition-opacity', purchase.pricing && 'opacity-60')}
      />
      <Checkbox
        label="Save this card for auto-recharge"
        hint={
          savedCard
            ? `Replaces ${cardName(savedCard)}.`
            : 'Stored by the payment provider and charged only by auto-recharge.'
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

/** The error of the last attempt, unless the amount field already shows it. */
function PurchaseProblem({ error }: { error: unknown }) {
  if (!error || fieldProblem(error, 'amount_usd')) return null;
  return (
    <Notice tone="danger" live>
      {problemText(error)}
    </Notice>
  );
}
