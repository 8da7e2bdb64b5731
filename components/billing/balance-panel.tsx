'use client';

import type { BillingBalance, Statement } from '@/server/money/billing/schema';
import { addUsd } from '../shared/format';
import { useBalance } from '../shared/queries';
import { Card } from '../ui/card';
import { Money } from '../ui/money';
import { DebtNotice, DisputeNotice } from './account-notices';
import { type Billing, useStanding } from './queries';

interface BalancePanelProps {
  billing: Billing;
  accountId: string;
  balance: BillingBalance;
  statement: Statement;
}

/** The available balance, the amount held by running calls, and any debt or dispute. */
export function BalancePanel({ billing, accountId, balance, statement }: BalancePanelProps) {
  const accounts = (useBalance(balance).data ?? balance).accounts;
  const available = accounts.find((account) => account.id === accountId)?.available_usd ?? 0;
  const { held_usd: held, debt_usd: debt, disputed } = useStanding(billing, statement).data;
  return (
    <>
      {debt > 0 && <DebtNotice debtUsd={debt} />}
      {disputed && <DisputeNotice />}
      <Card className="p-4 sm:p-5">
        <dl className="flex flex-wrap items-baseline gap-x-10 gap-y-4">
          <div>
            <dt className="text-muted text-sm">Available</dt>
            <dd className="mt-1 font-semibold text-3xl tracking-tight">
              <Money usd={available} headline down />
            </dd>
          </div>
          <div>
            <dt className="text-muted text-sm">Held by running calls</dt>
            <dd className="mt-1 text-lg leading-9">
              <Money usd={held} headline className={held === 0 ? 'text-muted' : undefined} />
            </dd>
          </div>
          {debt > 0 && (
            <div>
              <dt className="text-muted text-sm">Owed</dt>
              <dd className="mt-1 text-danger text-lg leading-9">
                <Money usd={debt} headline />
              </dd>
            </div>
          )}
          {(held > 0 || debt > 0) && (
            <div>
              <dt className="text-muted text-sm">{debt > 0 ? 'Balance: credit minus debt' : 'Balance'}</dt>
              <dd className="mt-1 text-lg leading-9">
                <Money usd={addUsd(addUsd(available, held), -debt)} headline />
              </dd>
            </div>
          )}
        </dl>
      </Card>
    </>
  );
}
