import { REFUSALS_DAYS } from '@/server/operations/operator/limits';
import type { AccountDetail } from '@/server/operations/operator/schema';
import { findRefusalCause } from '../shared/refusal-cause';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { codeColumn, countColumns } from './refusal-columns';

type Row = AccountDetail['refusals'][number];

/** Why calls of the account were refused, by key, with the limits that refuse now. */
export function AccountRefusals({ account }: { account: AccountDetail }) {
  const names = new Map(account.keys.map(({ id, name }) => [id, name]));
  return (
    <Card>
      <CardHeader
        title="Refused calls"
        description={`By key and reason, last ${REFUSALS_DAYS} days. Their messages are the customer’s only.`}
      />
      <DataTable
        caption="Refused calls by key and reason"
        columns={buildColumns(names)}
        rows={account.refusals}
        keyOf={({ key_id, error_code, limit }) => `${key_id} ${error_code} ${limit}`}
        empty={<EmptyState title="No refused calls in this period" />}
      />
    </Card>
  );
}

function buildColumns(names: ReadonlyMap<string, string>): readonly Column<Row>[] {
  return [
    codeColumn(),
    {
      id: 'key',
      title: 'Key',
      phone: 'note',
      cell: ({ key_id: id }) => (
        <span className="break-words">{id === null ? 'Other' : (names.get(id) ?? id)}</span>
      ),
    },
    {
      id: 'cause',
      title: 'Why',
      phone: 'line',
      cell: (row) => (
        <div className="min-w-0">
          <span className="block">{findRefusalCause(row).title}</span>
          {row.in_force && (
            <span className="block text-danger text-sm">
              Refuses now
              {row.retry_at !== null && (
                <>
                  , until <DateTime at={row.retry_at} />
                </>
              )}
            </span>
          )}
        </div>
      ),
    },
    ...countColumns<Row>(),
  ];
}
