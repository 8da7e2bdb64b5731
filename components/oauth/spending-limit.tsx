'use client';

import { useState } from 'react';
import { type Amount, readAmount } from '../shared/amount';
import { Segmented } from '../shared/segmented';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { useEarlyInput } from '../ui/use-early-input';

const FIELD = 'Credit limit';

/** A credit limit that is being edited. */
export interface SpendingLimit {
  limited: boolean;
  amount: string;
  problem: string | null;
  change(part: { limited?: boolean; amount?: string }): void;
  refuse(problem: string): void;
  /**
   * Dollars, or null for no limit. Undefined if the field holds no amount: it then shows the error.
   */
  read(): number | null | undefined;
}

/** @param initial dollars as shown in the field; null for no limit */
export function useSpendingLimit(initial: string | null): SpendingLimit {
  const [limited, setLimited] = useState(initial !== null);
  const [amount, setAmount] = useState(initial ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  return {
    limited,
    amount,
    problem,
    change(part) {
      setProblem(null);
      if (part.limited !== undefined) setLimited(part.limited);
      if (part.amount !== undefined) setAmount(part.amount);
    },
    refuse: setProblem,
    read() {
      if (!limited) return null;
      const read: Amount = readAmount(FIELD, amount);
      if ('usd' in read) return read.usd;
      setProblem(read.problem);
      return undefined;
    },
  };
}

interface SpendingLimitFieldProps {
  limit: SpendingLimit;
  hint: string;
}

/** The credit limit of an application: an amount, or no limit besides the balance. */
export function SpendingLimitField({ limit, hint }: SpendingLimitFieldProps) {
  const shown = limit.limited ? limit.amount : '';
  const input = useEarlyInput(shown, (amount) => limit.change({ amount }));
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        legend="Spending"
        value={limit.limited ? 'limit' : 'none'}
        options={[
          { value: 'limit', label: 'Limit spending' },
          { value: 'none', label: 'No limit' },
        ]}
        onValueChange={(choice) => limit.change({ limited: choice === 'limit' })}
        className="self-start"
      />
      <Field
        label={FIELD}
        hint={limit.limited ? hint : 'It can spend your entire balance.'}
        error={limit.problem}
      >
        <Input
          ref={input}
          name="limit"
          value={shown}
          onChange={(event) => limit.change({ amount: event.target.value })}
          disabled={!limit.limited}
          placeholder={limit.limited ? undefined : 'No limit'}
          inputMode="decimal"
          autoComplete="off"
        />
      </Field>
    </div>
  );
}
