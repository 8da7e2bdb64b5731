'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Connection } from '@/server/identity/oauth/schema';
import { fieldProblem, problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
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
  const [problem, setProblem] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (usd: number | null) => trpc.oauth.limit.mutate({ id: connection.id, credits: usd }),
    onSuccess: () => queries.invalidateQueries({ queryKey: connectionsKey }),
  });

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const usd = limit.read();
    if (usd === undefined) return;
    setProblem(null);
    try {
      await save.mutateAsync(usd);
      onDone();
      toast.success(
        usd === null
          ? `“${connection.name}” no longer has its own limit`
          : `“${connection.name}” can now spend ${formatMoney(usd)}`,
      );
    } catch (error) {
      const field = fieldProblem(error, 'credits');
      if (field) limit.refuse(`Spending limit: ${field}`);
      else setProblem(problemText(error));
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <SpendingLimitField
        limit={limit}
        hint="In dollars, such as 5 or 0.25. Use 0 to allow free tools only."
      />
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problem}
      </p>
      <DialogActions>
        <DialogClose>
          <Button disabled={save.isPending}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save limit
        </Button>
      </DialogActions>
    </form>
  );
}
