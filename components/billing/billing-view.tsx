'use client';

import type {
  BillingBalance,
  DayStatement,
  Preferences,
  PurchaseTerms,
  Quote,
  Statement,
} from '@/server/money/billing/schema';
import type { BillingDetails, InvoicedPaymentList } from '@/server/money/invoices/schema';
import { useBalance } from '../shared/queries';
import { buttonClass } from '../ui/button-class';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ReceiptText } from '../ui/icons';
import { lazyPart } from '../ui/lazy-part';
import { PageHeader } from '../ui/page-header';
import { LimitNotice } from './account-notices';
import { AccountSelect } from './account-select';
import { BalancePanel } from './balance-panel';
import { BillingDetailsCard } from './billing-details-card';
import { BuyCredit } from './buy-credit';
import { PaymentsPanel } from './payments-panel';
import { type Billing, CARD_REFETCH_MS, usePreferences } from './queries';
import { RedeemCode } from './redeem-code';
import { SpendingCard } from './spending-card';
import type { StatementFilters } from './statement-filters';
import { StatementPanel } from './statement-panel';

export interface BillingData {
  terms: PurchaseTerms;
  quote: Quote;
  preferences: Preferences;
  /** The head of the statement: balance, debt and disputes. */
  standing: Statement;
  statement: DayStatement;
  payments: InvoicedPaymentList;
  /** Null for members, who do not see them. */
  details: BillingDetails | null;
}

/** Loaded only if the gateway does not sell credit. */
const GrantCommand = lazyPart(() => import('./grant-command').then((module) => module.GrantCommand));

interface BillingViewProps {
  email: string;
  billing: Billing;
  /** The shown account, as its members see it. */
  account: BillingBalance['accounts'][number];
  balance: BillingBalance;
  filters: StatementFilters;
  data: BillingData;
  /** The admin CLI, as this gateway's operator starts it. */
  adminCommand: string;
}

/** The Billing page of one account. */
export function BillingView({
  email,
  billing,
  account,
  balance,
  filters,
  data,
  adminCommand,
}: BillingViewProps) {
  const preferences = usePreferences(billing, data.preferences, CARD_REFETCH_MS).data;
  const accounts = (useBalance(balance).data ?? balance).accounts;
  const { disputed, available_usd: available } = accounts.find(({ id }) => id === account.id) ?? account;
  const team = account.type === 'team' ? account.name : null;
  const mayBuy = account.role !== 'member';
  const sells = data.terms.mode !== 'none';
  return (
    <>
      <PageHeader
        title="Billing"
        description={team ? `Billing for the team ${team}.` : undefined}
        actions={
          <>
            <a href="#receipts" className={buttonClass()}>
              <ReceiptText aria-hidden />
              Receipts and invoices
            </a>
            <AccountSelect accounts={balance.accounts} billing={billing} />
            {mayBuy && <RedeemCode billing={billing} team={team} />}
          </>
        }
      />
      <LimitNotice
        preferences={preferences}
        action={
          mayBuy && (
            <a href="#monthly-limit" className={buttonClass({ size: 'sm' })}>
              Raise the limit
            </a>
          )
        }
      />
      <BalancePanel billing={billing} accountId={account.id} balance={balance} statement={data.standing} />
      {!mayBuy && <MemberNotice team={account.name} />}
      {mayBuy && !sells && <GrantCommand adminCommand={adminCommand} email={email} team={billing} />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {mayBuy && sells && (
          <BuyCredit
            billing={billing}
            team={team}
            terms={data.terms}
            quote={data.quote}
            savedCard={preferences.saved_card}
            disputed={disputed}
          />
        )}
        {data.details && <BillingDetailsCard billing={billing} initial={data.details} />}
      </div>
      <PaymentsPanel billing={billing} initial={data.payments} exports={mayBuy} />
      <SpendingCard
        billing={billing}
        preferences={preferences}
        editable={mayBuy}
        terms={data.terms}
        disputed={disputed}
      />
      <StatementPanel billing={billing} available={available} initial={data.statement} filters={filters} />
    </>
  );
}

function MemberNotice({ team }: { team: string }) {
  return (
    <Card>
      <CardHeader title="Buy credit" />
      <CardBody className="text-sm">
        <p>
          You’re a member of {team}: your keys can spend its credit, and you can see its statement. Only
          owners and admins can buy credit and change billing settings.
        </p>
      </CardBody>
    </Card>
  );
}
