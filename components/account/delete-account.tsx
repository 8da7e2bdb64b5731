'use client';

import { useState } from 'react';
import { signOut } from '../shared/auth-client';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { formatMoney } from '../ui/money';
import { problemText } from '../shared/problem';
import { useBalance } from '../shared/queries';

export function DeleteAccount({ email }: { email: string }) {
  const [typed, setTyped] = useState('');
  const { data } = useBalance(undefined);
  const balance = data?.available_usd;
  const teams = data?.accounts.filter(({ type }) => type === 'team') ?? [];

  async function confirm() {
    if (typed.trim().toLowerCase() !== email.toLowerCase())
      throw new Error(`E-mail: write ${email} to confirm that this is the account you mean.`);
    try {
      await trpc.auth.deleteAccount.mutate();
    } catch (error) {
      throw new Error(problemText(error));
    }
    await signOut('/');
  }

  return (
    <Card className="border-danger/40">
      <CardHeader title="Delete account" />
      <CardBody className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-md text-muted text-sm">
          Every key and every connected application stops at once, and what credit is left is lost. Name and
          address are forgotten; the books keep the amounts, without you in them.
        </p>
        <AlertDialog
          trigger={<Button variant="danger">Delete account</Button>}
          onOpenChange={(open) => !open && setTyped('')}
          title={`Delete the account of ${email}?`}
          consequence={
            <div className="flex flex-col gap-4">
              <ul className="list-disc space-y-1 pl-5">
                <li>All your keys stop working with their next request.</li>
                <li>
                  {balance === undefined || balance === 0 ? (
                    'Credit that is left is lost; it is not paid out.'
                  ) : (
                    <>
                      <span className="font-medium text-ink">{formatMoney(balance)}</span> of credit is lost;
                      it is not paid out.
                    </>
                  )}
                </li>
                {teams.length > 0 && (
                  <li>
                    You leave your teams. One that is yours alone is deleted too; one that you own and that
                    others are in, or that has credit, must be handed over or deleted first.
                  </li>
                )}
                <li>You are signed out everywhere. This cannot be undone.</li>
              </ul>
              <Field label={`Type ${email} to confirm`} className="text-ink">
                <Input
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                  type="email"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              </Field>
            </div>
          }
          confirmLabel="Delete account"
          onConfirm={confirm}
        />
      </CardBody>
    </Card>
  );
}
