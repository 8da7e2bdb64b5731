'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { Connection } from '@/server/identity/oauth/schema';
import { DialogForm } from '../shared/dialog-form';
import { fieldProblem } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { formatMoney } from '../ui/money';
import { toast } from '../ui/toast';
import { connectionsKey } from './queries';
import { SpendingLimitField, useSpendingLimit } from './spending-limit';

interface ConnectionLimitDialogProps {
  connection: Connection;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ConnectionLimitDialog({ connection, open, onOpenChange }: ConnectionLimitDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Limit for ${connection.name}`}
      description="From now on, it can spend up to this amount. Past spending does not count."
    >
      <LimitForm connection={connection} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function LimitForm({ connection, onDone }: { connection: Connection; onDone: () => void }) {
  const queries = useQueryClient();
  const { credits } = connection;
  const limit = useSpendingLimit(
    credits === null ? null : formatMoney(Math.max(0, credits)).replace(/[$,]/g, ''),
  );
  const form = useSubmit({}, async () => {
    const usd = limit.read();
    if (usd === undefined) return;
    try {
      await trpc.oauth.limit.mutate({ id: connection.id, credits: usd });
    } catch (error) {
      const field = fieldProblem(error, 'credits');
      if (!field) throw error;
      return limit.refuse(`Credit limit: ${field}`);
    }
    await queries.invalidateQueries({ queryKey: connectionsKey });
    onDone();
    toast.success(
      usd === null
        ? `“${connection.name}” no longer has its own limit`
        : `“${connection.name}” can now spend ${formatMoney(usd)}`,
    );
  });

  return (
    <DialogForm form={form} confirmLabel="Save limit">
      <SpendingLimitField
        limit={limit}
        hint="In dollars, such as 5 or 0.25. Use 0 to allow free tools only."
      />
    </DialogForm>
  );
}
