'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Quote } from '@/server/money/billing/schema';
import { fieldProblem } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import type { AmountBounds } from './purchase-amount';
import { readPurchaseAmount, writeAmount } from './purchase-amount';
import { type Billing, quoteOptions, useQuote } from './queries';
import { useDebounced } from '../shared/use-debounced';
import { useLeave } from './use-leave';

export const PRESETS = ['10', '25', '50', '100'];
/** A hand that types rests this long before what it wrote is judged and priced; a preset is not typed. */
const PAUSE_MS = 250;
const FIELD = 'Amount';

/** What is being bought: the amount as it is typed, its price, and the way to the payment page. */
export function usePurchase(billing: Billing, bounds: AmountBounds, quote: Quote) {
  const queries = useQueryClient();
  const [text, setText] = useState(writeAmount(quote.credit_usd));
  const [saveCard, setSaveCard] = useState(false);
  const [tried, setTried] = useState(false);
  const { busy, leave, error, forgetError } = useLeave();
  const settled = useDebounced(text, PRESETS.includes(text) ? 0 : PAUSE_MS);
  const amount = readPurchaseAmount(FIELD, text, bounds);
  const priced = readPurchaseAmount(FIELD, settled, bounds);
  const price = useQuote('usd' in priced ? priced.usd : null, quote);
  const valid = 'usd' in amount;
  const judged = tried || (settled === text && text.trim() !== '');

  function write(next: string) {
    setText(next);
    setTried(false);
    forgetError();
  }

  /** @returns false where there is nothing to pay yet */
  function pay(): boolean {
    setTried(true);
    if (!valid) return false;
    void leave(async () => {
      // Whoever is quicker than the price sees it before they leave.
      await queries.fetchQuery(quoteOptions(amount.usd));
      return await trpc.billing.checkout.mutate({ amount_usd: amount.usd, save_card: saveCard, billing });
    });
    return true;
  }

  return {
    text,
    write,
    /** As a preset would be written; empty where it is no amount. */
    chosen: valid ? writeAmount(amount.usd) : '',
    problem: fieldProblem(error, 'amount_usd') ?? (!valid && judged ? amount.problem : null),
    price: valid ? price.data : undefined,
    pricing: valid && (settled !== text || price.isFetching),
    saveCard,
    setSaveCard,
    pay,
    busy,
    error: error ?? (valid ? price.error : null),
  };
}
