'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@/server/identity/keys/schema';
import { readAmount } from '../shared/amount';
import { DialogForm } from '../shared/dialog-form';
import { addUsd } from '../shared/format';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { formatCents, formatMoney } from '../ui/money';
import { toast } from '../ui/toast';
import { describeCredits } from './describe-credits';
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
      description={apiKey.credits === null ? describeFirst(apiKey) : describeLimit(apiKey, apiKey.credits)}
    >
      <CreditsForm apiKey={apiKey} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function describeFirst({ credits_used: used }: ApiKey): string {
  const limit = 'From now on, this key spends at most this amount in total.';
  return used === 0
    ? limit
    : `${limit} The ${formatMoney(used)} that it has used does not count: the limit is shown with it added.`;
}

function describeLimit({ credits_used: used }: ApiKey, left: number): string {
  const limit = formatMoney(addUsd(used, Math.max(0, left)));
  return `The limit is ${limit}: ${formatCents(used)} is used and ${formatCents(Math.max(0, left), 'auto', true)} is left. The amount is added to the limit; no money moves.`;
}

function CreditsForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const queries = useQueryClient();
  const form = useSubmit({ amount: 'Amount' }, async (read) => {
    const amount = readAmount('Amount', read('amount'));
    if ('problem' in amount) throw new InputProblem(amount.problem);
    if (amount.usd === 0) throw new InputProblem('Amount: enter more than zero.');
    const after = await trpc.keys.addCredits.mutate({ id: apiKey.id, amount: amount.usd });
    await queries.invalidateQueries({ queryKey: queryKey.keys });
    onDone();
    const { title, description } = describeCredits(after);
    toast.success(title, { description });
  });
  return (
    <DialogForm form={form} confirmLabel={creditsActLabel(apiKey)}>
      <Field label="Amount" hint="In dollars, such as 5 or 0.25." error={form.fieldError('amount')}>
        <Input name="amount" inputMode="decimal" autoComplete="off" />
      </Field>
    </DialogForm>
  );
}
