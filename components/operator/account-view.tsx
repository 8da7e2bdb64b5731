'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { AccountDetail } from '@/server/operations/operator/schema';
import { trpc } from '../shared/trpc-provider';
import { Card, CardBody, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { AccountActs } from './account-acts';
import { AccountCalls } from './account-calls';
import { AccountKeys } from './account-keys';
import { AccountLimits } from './account-limits';
import { accountName } from './account-name';
import { AccountPayments } from './account-payments';
import { AccountRefusals } from './account-refusals';
import { AccountState } from './account-state';
import { AccountStatement } from './account-statement';
import { CopyId } from './copy-id';
import { Facts } from './facts';

/** One account: its details, history, and the actions on it. */
export function AccountView({ initial }: { initial: AccountDetail }) {
  const { account_id } = initial;
  const { data: account = initial } = useQuery({
    queryKey: ['operator', 'account', account_id],
    queryFn: ({ signal }) => trpc.operator.accounts.get.query({ account_id }, { signal }),
    initialData: initial,
    // Each view is recorded in the audit log, so only an action refetches.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <>
      <PageHeader
        back={
          <Link href="/operator/accounts" className="link">
            Accounts
          </Link>
        }
        title={<span className="break-words">{accountName(account)}</span>}
        description={<CopyId id={account.account_id} noun="account id" />}
        actions={<AccountActs account={account} />}
      />
      {account.frozen && (
        <Notice tone="danger" title="This account is frozen">
          {account.frozen_reason ?? 'No reason was given.'}
          {account.frozen_at && (
            <>
              {' '}
              Since <DateTime at={account.frozen_at} format="exact" />.
            </>
          )}
        </Notice>
      )}
      <Card>
        <CardBody>
          <Facts short rows={listFacts(account)} />
        </CardBody>
      </Card>
      <AccountLimits account={account} />
      <AccountKeys account={account} />
      <AccountRefusals account={account} />
      <AccountPayments account={account} />
      <AccountStatement account={account} />
      <AccountCalls account={account} />
      {account.members.length > 0 && account.type === 'team' && <Members account={account} />}
      <p className="text-sm">
        <Link href={`/operator/audit?account=${account_id}`} className="link">
          View audit log
        </Link>
      </p>
    </>
  );
}

function listFacts(account: AccountDetail) {
  return [
    ['State', <AccountState key="state" account={account} />],
    ['Balance', <Money key="balance" usd={account.balance_usd} down />],
    ['On hold', <Money key="held" usd={account.held_usd} />],
    ['Debt', <Money key="debt" usd={account.debt_usd} />],
    ['Spend, last 30 days', <Money key="spent" usd={account.spent_30d_usd} />],
    [
      'This month',
      <span key="month">
        <Money usd={account.month_spent_usd} />
        {account.monthly_limit_usd !== null && (
          <>
            {' '}
            of <Money usd={account.monthly_limit_usd} />
          </>
        )}
      </span>,
    ],
    ['Auto-recharge', account.auto_reload ? 'On' : 'Off'],
    ['Running calls', String(account.running_calls)],
    ['Name', account.name],
    ['Created', <DateTime key="created" at={account.created_at} format="exact" />],
    ...(account.closed_at
      ? ([['Closed', <DateTime key="closed" at={account.closed_at} format="exact" />]] as const)
      : []),
    ...(account.claimed_by
      ? ([
          [
            'Claimed by',
            <Link key="claimed" href={`/operator/accounts/${account.claimed_by}`} className="link break-all">
              {account.claimed_by}
            </Link>,
          ],
        ] as const)
      : []),
  ] as const;
}

function Members({ account }: { account: AccountDetail }) {
  return (
    <Card>
      <CardHeader title="Members" />
      <ul className="divide-y">
        {account.members.map(({ user_id, email, name, role }) => (
          <li key={user_id} className="flex flex-wrap justify-between gap-2 px-4 py-2.5 text-sm sm:px-5">
            <Link href={`/operator/accounts?q=${encodeURIComponent(email)}`} className="link break-all">
              {email}
            </Link>
            <span className="text-muted">{[name, role].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
