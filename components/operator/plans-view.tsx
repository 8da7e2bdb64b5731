'use client';

import { useQuery } from '@tanstack/react-query';
import type { Plan, PlanList } from '@/server/identity/plans/schema';
import { describeRates } from '../shared/describe-rates';
import { formatBytes } from '../shared/format-bytes';
import { problemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { Card } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { Layers } from '../ui/icons';
import { Money } from '../ui/money';
import { PageHeader } from '../ui/page-header';
import { ActDialog } from './act-dialog';
import { describeAccounts, limitFields, readLimits } from './limit-fields';

const MIB = 1024 * 1024;

const COLUMNS: readonly Column<Plan>[] = [
  { id: 'name', title: 'Plan', phone: 'title', cell: ({ name }) => name },
  { id: 'rates', title: 'Calls per key', phone: 'note', cell: describeRates },
  {
    id: 'storage',
    title: 'Storage',
    phone: 'line',
    cell: ({ storage_mib }) => formatBytes(storage_mib * MIB),
  },
  {
    id: 'month',
    title: 'Highest monthly limit',
    phone: 'line',
    cell: ({ month_limit_max_usd: max }) => (max === null ? 'Any' : <Money usd={max} />),
  },
  { id: 'accounts', title: 'Accounts', phone: 'line', cell: describeAccounts },
  {
    id: 'acts',
    title: 'Actions',
    titleHidden: true,
    phone: 'corner',
    cell: (plan) => <PlanActs plan={plan} />,
  },
];

/** Plans: limits that operators assign to accounts. */
export function PlansView({ initial }: { initial: PlanList }) {
  const query = useQuery({
    queryKey: ['operator', 'plans'],
    queryFn: ({ signal }) => trpc.operator.plans.list.query(undefined, { signal }),
    initialData: initial,
  });
  const { plans, gateway } = query.data;
  return (
    <>
      <PageHeader
        title="Plans"
        description={`Limits for accounts, assigned on the page of each. Accounts without a plan have the gateway’s: ${describeRates(gateway)}.`}
        actions={<CreatePlan gateway={gateway} />}
      />
      <Card>
        <DataTable
          caption="Plans"
          columns={COLUMNS}
          rows={plans}
          keyOf={({ id }) => id}
          problem={
            query.isError
              ? {
                  title: 'The plans could not be loaded',
                  text: problemText(query.error),
                  requestId: gatewayError(query.error)?.request_id,
                  onRetry: () => void query.refetch(),
                  retrying: query.isFetching,
                }
              : null
          }
          empty={
            <EmptyState icon={<Layers />} title="No plans yet">
              A plan raises or lowers the limits of the accounts that get it, at once and without a restart.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

const NAME = { name: 'name', label: 'Name' };

function CreatePlan({ gateway }: { gateway: PlanList['gateway'] }) {
  return (
    <ActDialog
      label="Create plan"
      variant="primary"
      size="md"
      title="Create a plan"
      consequence="It applies to the accounts that you assign it to."
      confirmLabel="Create plan"
      fields={[NAME, ...limitFields(gateway)]}
      done="Plan created"
      act={(values) => trpc.operator.plans.save.mutate({ name: values.name ?? '', ...readLimits(values) })}
    />
  );
}

function PlanActs({ plan }: { plan: Plan }) {
  const { id, name } = plan;
  return (
    <span className="flex justify-end gap-2">
      <ActDialog
        label="Edit"
        title={`Edit the plan ${name}`}
        consequence={`Applies at once to ${describeAccounts(plan)} with this plan.`}
        confirmLabel="Save plan"
        fields={[{ ...NAME, defaultValue: name }, ...limitFields(plan)]}
        done="Plan saved"
        act={(values) =>
          trpc.operator.plans.save.mutate({ id, name: values.name ?? '', ...readLimits(values) })
        }
      />
      <ActDialog
        label="Delete"
        title={`Delete the plan ${name}?`}
        consequence={`${describeAccounts(plan)} with this plan get the gateway’s limits at once.`}
        confirmLabel="Delete plan"
        danger
        done="Plan deleted"
        act={() => trpc.operator.plans.remove.mutate({ id })}
      />
    </span>
  );
}
