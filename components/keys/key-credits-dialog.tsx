'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@/server/identity/keys/schema';
import { readAmount, writeAmount } from '../shared/amount';
import { DialogForm } from '../shared/dialog-form';
import { addUsd } from '../shared/format';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { formatMoney } from '../ui/money';
import { toast } from '../ui/toast';
import { describeCredits } from './describe-credits';

const FIELD = 'Credit limit';

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
      title={`Credit limit: ${apiKey.name}`}
      description={`The most this key may spend in total. It has used ${formatMoney(apiKey.credits_used)} so far, which counts. No money moves.`}
    >
      <CreditsForm apiKey={apiKey} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreditsForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const queries = useQueryClient();
  const { credits, credits_used: used } = apiKey;
  const form = useSubmit({ credit_limit_usd: FIELD }, async (read) => {
    const text = read('credit_limit_usd');
    const amount = text === '' ? null : readAmount(FIELD, text);
    if (amount && 'problem' in amount) throw new InputProblem(amount.problem);
    const limit = { id: apiKey.id, credit_limit_usd: amount?.usd ?? null };
    const after = await trpc.keys.setCreditLimit.mutate(limit);
    await queries.invalidateQueries({ queryKey: queryKey.keys });
    onDone();
    const { title, description } = describeCredits(after);
    toast.success(title, { description });
  });
  return (
    <DialogForm form={form} confirmLabel="Save limit">
      <Field
        label={FIELD}
        hint="In dollars, such as 5 or 0.25. Empty: no limit besides the balance."
        error={form.fieldError('credit_limit_usd')}
      >
        <Input
          name="credit_limit_usd"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={credits === null ? undefined : writeAmount(addUsd(used, Math.max(0, credits)))}
        />
      </Field>
    </DialogForm>
  );
}
