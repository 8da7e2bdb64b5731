'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AmountBounds } from '@/server/money/billing/limits';
import type { Quote } from '@/server/money/billing/schema';
import { fieldProblem } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { useDebounced } from '../shared/use-debounced';
import { readPurchaseAmount, writeAmount } from './purchase-amount';
import { type Billing, quoteOptions, useQuote } from './queries';
import { useRedirect } from './use-redirect';

export const PRESETS = ['10', '25', '50', '100'];
/** A typed amount is validated and priced after this pause; a preset at once. */
const PAUSE_MS = 250;
const FIELD = 'Amount';

/** The amount being bought, its price, and the redirect to the payment page. */
export function usePurchase(billing: Billing, bounds: AmountBounds, quote: Quote) {
  const queries = useQueryClient();
  const [text, setText] = useState(writeAmount(quote.credit_usd));
  const [saveCard, setSaveCard] = useState(false);
  const [tried, setTried] = useState(false);
  const { busy, leave, error, forgetError } = useRedirect();
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

  /** @returns false if the amount is invalid */
  function pay(): boolean {
    setTried(true);
    if (!valid) return false;
    void leave(async () => {
      // Someone who submits before the quote has loaded still sees the price before leaving.
      await queries.fetchQuery(quoteOptions(amount.usd));
      return await trpc.billing.checkout.mutate({ amount_usd: amount.usd, save_card: saveCard, billing });
    });
    return true;
  }

  return {
    text,
    write,
    /** The amount as a preset would be written; empty if it is invalid. */
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
