'use client';

import Link from 'next/link';
import { useState } from 'react';
import { MAX_CODE_LENGTH, MIN_CODE_LENGTH } from '@/server/money/promos/limits';
import type { Promo, PromoList, Redemption } from '@/server/money/promos/schema';
import { readAmount } from '../shared/amount';
import { trpc } from '../shared/trpc-provider';
import { InputProblem } from '../shared/use-submit';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { Dialog } from '../ui/dialog';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { TicketPercent } from '../ui/icons';
import { Money } from '../ui/money';
import { PageHeader } from '../ui/page-header';
import { ActDialog } from './act-dialog';
import { listPaging, listProblem, usePages } from './pages';

const STATES = {
  active: ['success', 'Active'],
  deactivated: ['neutral', 'Deactivated'],
  expired: ['neutral', 'Expired'],
  used_up: ['neutral', 'Used up'],
} as const;

const COLUMNS: readonly Column<Promo>[] = [
  {
    id: 'code',
    title: 'Code',
    phone: 'title',
    cell: ({ code, note }) => (
      <>
        <span className="block font-mono">{code}</span>
        {note && <span className="block font-normal text-muted text-xs">{note}</span>}
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    phone: 'note',
    cell: ({ state }) => <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge>,
  },
  {
    id: 'amount',
    title: 'Credit',
    phone: 'aside',
    numeric: true,
    cell: ({ amount_usd }) => <Money usd={amount_usd} />,
  },
  {
    id: 'redeemed',
    title: 'Redeemed',
    numeric: true,
    cell: ({ redeemed, max_redemptions: max }) => `${formatNumber(redeemed)} of ${formatNumber(max)}`,
  },
  {
    id: 'for',
    title: 'For',
    phone: 'line',
    cell: ({ new_people_only }) => (new_people_only ? 'New accounts' : 'Everyone'),
  },
  {
    id: 'expires',
    title: 'Expires',
    phone: 'line',
    className: 'text-muted',
    cell: ({ expires_at }) => (expires_at ? <DateTime at={expires_at} format="date" /> : 'Never'),
  },
  {
    id: 'acts',
    title: 'Actions',
    titleHidden: true,
    phone: 'corner',
    className: 'text-right',
    cell: ({ id, code, state }) =>
      state === 'active' && (
        <ActDialog
          label="Deactivate"
          title={`Deactivate ${code}?`}
          consequence="It can no longer be redeemed, and not be activated again. Credit that it granted stays."
          confirmLabel="Deactivate code"
          danger
          done="Code deactivated"
          act={() => trpc.operator.promos.deactivate.mutate({ id })}
        />
      ),
  },
];

/** Promo codes, and who redeemed them. */
export function PromosView({ initial }: { initial: PromoList }) {
  const [open, setOpen] = useState<Promo | null>(null);
  const query = usePages(
    'promos',
    {},
    (cursor, signal) => trpc.operator.promos.list.query({ cursor }, { signal }),
    initial,
  );
  const promos = query.data?.pages.flatMap((page) => page.promos);
  return (
    <>
      <PageHeader
        title="Promo codes"
        description="A code grants free credit once to each person who redeems it on their Billing page."
        actions={<CreatePromo />}
      />
      <Card>
        <DataTable
          caption="Promo codes, newest first"
          columns={COLUMNS}
          rows={promos}
          keyOf={({ id }) => id}
          onOpen={setOpen}
          problem={listProblem(query, 'The codes could not be loaded')}
          paging={listPaging(query, promos?.length ?? 0, 'code')}
          empty={
            <EmptyState icon={<TicketPercent />} title="No promo codes yet">
              Create one for an event or a campaign, and see here how often it is redeemed.
            </EmptyState>
          }
        />
      </Card>
      {open && <Redemptions promo={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const AUDIENCES = [
  { value: 'all', label: 'Everyone' },
  { value: 'new', label: 'Only accounts created after the code' },
];

function CreatePromo() {
  return (
    <ActDialog
      label="Create code"
      variant="primary"
      size="md"
      title="Create a promo code"
      consequence="Anyone who knows the code can redeem it until its end. Spent credit cannot be recovered."
      confirmLabel="Create code"
      fields={[
        {
          name: 'code',
          label: 'Code',
          hint: `${MIN_CODE_LENGTH} to ${MAX_CODE_LENGTH} letters, digits and hyphens, such as SPRING.`,
        },
        { name: 'amount', label: 'Credit', hint: 'In dollars for each redemption.', decimal: true },
        { name: 'max', label: 'Maximum redemptions', defaultValue: '100', decimal: true },
        { name: 'audience', label: 'Who can redeem it', options: AUDIENCES, defaultValue: 'all' },
        { name: 'expires', label: 'Expires', moment: { none: 'Never' } },
        { name: 'note', label: 'Note', hint: 'Optional, for operators.' },
      ]}
      done="Code created"
      act={async ({ code = '', amount = '', max = '', audience, expires = '', note = '' }) => {
        const read = readAmount('Credit', amount);
        if ('problem' in read) throw new InputProblem(read.problem);
        if (!/^\d{1,7}$/.test(max)) throw new InputProblem('Maximum redemptions: enter a whole number.');
        await trpc.operator.promos.create.mutate({
          code,
          amount_usd: read.usd,
          max_redemptions: Number(max),
          new_people_only: audience === 'new',
          expires_at: expires === '' ? null : expires,
          note,
        });
      }}
    />
  );
}

const REDEMPTION_COLUMNS: readonly Column<Redemption>[] = [
  {
    id: 'account',
    title: 'Account',
    phone: 'title',
    cell: ({ account_id, account_name }) => (
      <Link href={`/operator/accounts/${account_id}`} className="link break-all">
        {account_name ?? account_id}
      </Link>
    ),
  },
  {
    id: 'amount',
    title: 'Credit',
    phone: 'figure',
    numeric: true,
    cell: ({ amount_usd }) => <Money usd={amount_usd} />,
  },
  { id: 'at', title: 'When', phone: 'note', className: 'text-muted', cell: ({ at }) => <DateTime at={at} /> },
];

function Redemptions({ promo, onClose }: { promo: Promo; onClose: () => void }) {
  const query = usePages(
    `redemptions ${promo.id}`,
    {},
    (cursor, signal) => trpc.operator.promos.redemptions.query({ id: promo.id, cursor }, { signal }),
    undefined,
  );
  const rows = query.data?.pages.flatMap((page) => page.redemptions);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Redemptions of ${promo.code}`}
      focusPanel
      className="sm:max-w-2xl"
    >
      <DataTable
        caption="Redemptions, newest first"
        columns={REDEMPTION_COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        problem={listProblem(query, 'The redemptions could not be loaded')}
        paging={listPaging(query, rows?.length ?? 0, 'redemption')}
        empty={<EmptyState title="Not redeemed yet" />}
      />
    </Dialog>
  );
}
