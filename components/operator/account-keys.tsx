'use client';

import type { AccountDetail } from '@/server/operations/operator/schema';
import { readSituations } from '../shared/key-state';
import { KeyStatus } from '../shared/key-status';
import { trpc } from '../shared/trpc-provider';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { KeyRound } from '../ui/icons';
import { Money } from '../ui/money';
import { ActDialog } from './act-dialog';

type Key = AccountDetail['keys'][number];

/** The account's keys, masked; the database does not store their secrets. */
export function AccountKeys({ account }: { account: AccountDetail }) {
  return (
    <Card>
      <CardHeader title="Keys" />
      <DataTable
        caption="Keys, newest first"
        columns={buildColumns(account)}
        rows={account.keys}
        keyOf={({ id }) => id}
        empty={
          <EmptyState icon={<KeyRound />} title="No keys">
            This account has never had a key.
          </EmptyState>
        }
      />
    </Card>
  );
}

function buildColumns({ account_id, blocked, ...money }: AccountDetail): readonly Column<Key>[] {
  const situationOf = readSituations({ blocked, broke: money.balance_usd - money.held_usd <= 0 });
  return [
    {
      id: 'name',
      title: 'Name',
      cell: ({ name, key_prefix }) => (
        <>
          <span className="block break-words">{name}</span>
          <span className="block font-mono font-normal text-muted text-xs">{key_prefix}</span>
        </>
      ),
    },
    {
      id: 'used',
      title: 'Spent',
      numeric: true,
      phone: 'figure',
      usd: (key) => key.credits_used,
      cell: (key, decimals) => <Money usd={key.credits_used} exact decimals={decimals} />,
    },
    {
      id: 'last',
      title: 'Last call',
      time: 'coarse',
      phone: 'note',
      className: 'text-muted',
      cell: ({ last_used_at }) => (last_used_at ? <DateTime at={last_used_at} format="age" /> : 'None'),
    },
    {
      id: 'status',
      title: 'Status',
      phone: 'aside',
      cell: (key) => <KeyStatus apiKey={key} {...situationOf(key)} />,
    },
    {
      id: 'act',
      title: 'Actions',
      titleHidden: true,
      className: 'text-right',
      phone: 'line',
      cell: (key) =>
        key.status === 'revoked' ? null : (
          <ActDialog
            label="Revoke"
            title={`Revoke “${key.name}”?`}
            consequence={`Anything using ${key.key_prefix} stops working from its next request. Running calls still finish and are charged. This cannot be undone.`}
            confirmLabel="Revoke key"
            danger
            done={`Revoked “${key.name}”`}
            act={() => trpc.operator.accounts.revokeKey.mutate({ account_id, key_id: key.id })}
          />
        ),
    },
  ];
}
