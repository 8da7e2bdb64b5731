'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { readAmount } from '../shared/amount';
import { fieldProblem, problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { formatMoney } from '../ui/money';
import { toast } from '../ui/toast';
import { creditsActLabel } from './key-credits-label';

interface KeyCreditsDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function KeyCreditsDialog({ apiKey, open, onOpenChange }: KeyCreditsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`${creditsActLabel(apiKey)}: ${apiKey.name}`}
      description={
        apiKey.credits === null
          ? 'From now on, this key can spend up to this amount. Past usage does not count.'
          : `It can still spend ${formatMoney(apiKey.credits)}. The amount is added to its limit; no money moves.`
      }
    >
      <CreditsForm apiKey={apiKey} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreditsForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const add = useMutation({
    mutationFn: (amount: number) => trpc.keys.addCredits.mutate({ id: apiKey.id, amount }),
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKey.keys }),
  });

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const amount = readAmount('Amount', String(new FormData(event.currentTarget).get('amount') ?? ''));
    if ('problem' in amount) return setProblem(amount.problem);
    if (amount.usd === 0) return setProblem('Amount: enter more than zero.');
    try {
      const after = await add.mutateAsync(amount.usd);
      onDone();
      toast.success(`“${after.name}” can now spend ${formatMoney(after.credits ?? 0)}`);
    } catch (error) {
      setProblem(fieldProblem(error, 'amount') ?? problemText(error));
    }
  }

  return (
    <form noValidate onSubmit={submit}>
      <Field label="Amount" hint="In dollars, such as 5 or 0.25." error={problem}>
        <Input name="amount" inputMode="decimal" autoComplete="off" />
      </Field>
      <DialogActions>
        <DialogClose>
          <Button disabled={add.isPending}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={add.isPending}>
          {creditsActLabel(apiKey)}
        </Button>
      </DialogActions>
    </form>
  );
}
