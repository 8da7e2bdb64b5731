'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Preferences, PurchaseTerms, Quote } from '@/server/billing/schema';
import { fieldProblem, problemText } from '../dashboard/problem';
import { Segmented } from '../dashboard/segmented';
import { trpc } from '../trpc-provider';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Checkbox } from '../ui/checkbox';
import { cn } from '../ui/cn';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { formatMoney } from '../ui/money';
import { Notice } from '../ui/notice';
import { cardName } from './card-words';
import { readPurchaseAmount, writeAmount } from './purchase-amount';
import { PurchaseBreakdown } from './purchase-breakdown';
import { type Billing, quoteOptions, useQuote } from './queries';
import { useDebounced } from './use-debounced';
import { useLeave } from './use-leave';

const PRESETS = ['10', '25', '50', '100'];
/** A hand that types rests this long before what it wrote is judged and priced; a preset is not typed. */
const PAUSE_MS = 250;

interface BuyCreditProps {
  billing: Billing;
  /** The team's name; null buys for oneself. */
  team: string | null;
  terms: PurchaseTerms;
  /** Of the amount that stands there first. */
  quote: Quote;
  savedCard: Preferences['saved_card'];
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

type PurchaseFormProps = Omit<BuyCreditProps, 'team' | 'disputed'>;

function PurchaseForm({ billing, terms, quote, savedCard }: PurchaseFormProps) {
  const queries = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(writeAmount(quote.credit_usd));
  const [saveCard, setSaveCard] = useState(false);
  const [tried, setTried] = useState(false);
  const { busy, leave, error, forgetError } = useLeave();
  const settled = useDebounced(text, PRESETS.includes(text) ? 0 : PAUSE_MS);
  const amount = readPurchaseAmount('Amount', text, terms);
  const priced = readPurchaseAmount('Amount', settled, terms);
  const price = useQuote('usd' in priced ? priced.usd : null, quote);
  const valid = 'usd' in amount;
  const pricing = valid && (settled !== text || price.isFetching);

  function write(next: string) {
    setText(next);
    setTried(false);
    forgetError();
  }

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (!valid) return input.current?.focus();
    await leave(async () => {
      // Whoever is quicker than the price sees it before they leave.
      await queries.fetchQuery(quoteOptions(amount.usd));
      return await trpc.billing.checkout.mutate({ amount_usd: amount.usd, save_card: saveCard, billing });
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Segmented
        legend="Preset amounts"
        value={valid ? writeAmount(amount.usd) : ''}
        options={PRESETS.filter((preset) => 'usd' in readPurchaseAmount('', preset, terms)).map((preset) => ({
          value: preset,
          label: `$${preset}`,
        }))}
        onValueChange={write}
        className="grid auto-cols-fr grid-flow-col [&_label]:h-8 [&_label]:justify-center"
      />
      <Field
        label="Amount"
        hint={`From ${formatMoney(terms.min_usd)} to ${formatMoney(terms.max_usd)}, in dollars and whole cents.`}
        error={
          fieldProblem(error, 'amount_usd') ??
          (!valid && (tried || (settled === text && text.trim() !== '')) ? amount.problem : null)
        }
      >
        <Input
          ref={input}
          value={text}
          onChange={(event) => write(event.target.value)}
          inputMode="decimal"
          autoComplete="off"
        />
      </Field>
      <PurchaseBreakdown
        live
        quote={valid ? price.data : undefined}
        busy={pricing}
        className={cn('transition-opacity', pricing && 'opacity-60')}
      />
      <Checkbox
        label="Save this card for auto-reload"
        hint={
          savedCard
            ? `Replaces ${cardName(savedCard)}.`
            : 'Kept by the payment provider; charged later only as you set auto-reload.'
        }
        checked={saveCard}
        onChange={(event) => setSaveCard(event.target.checked)}
      />
      <PurchaseProblem error={error ?? (valid ? price.error : null)} />
      <Button type="submit" variant="primary" busy={busy}>
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
