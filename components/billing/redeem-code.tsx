'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogForm } from '../shared/dialog-form';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { TicketPercent } from '../ui/icons';
import { Input } from '../ui/input';
import { formatMoney } from '../ui/money';
import { toast } from '../ui/toast';
import { type Billing, refreshMoney } from './queries';

interface RedeemCodeProps {
  billing: Billing;
  /** The team that gets the credit; null is the person's own account. */
  team: string | null;
}

/** Redeems a promo code for the shown account. */
export function RedeemCode({ billing, team }: RedeemCodeProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Redeem a code"
      description={team ? `The credit goes to the team ${team}.` : 'The credit goes to your account.'}
      trigger={
        <Button>
          <TicketPercent aria-hidden />
          Redeem a code
        </Button>
      }
    >
      <RedeemForm billing={billing} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function RedeemForm({ billing, onDone }: { billing: Billing; onDone: () => void }) {
  const queries = useQueryClient();
  const form = useSubmit({ code: 'Code' }, async (read) => {
    const code = read('code');
    if (code === '') throw new InputProblem('Code: enter the code you were given.');
    const redeemed = await trpc.billing.redeem.mutate({ code, billing });
    await refreshMoney(queries);
    onDone();
    toast.success(`${formatMoney(redeemed.amount_usd)} of credit added`);
  });
  return (
    <DialogForm form={form} confirmLabel="Redeem code" autoComplete="off">
      <Field label="Code" hint="Each code works once for each person." error={form.fieldError('code')}>
        <Input name="code" autoCapitalize="characters" autoComplete="off" spellCheck={false} />
      </Field>
    </DialogForm>
  );
}
