'use client';

import { useQuery } from '@tanstack/react-query';
import type { AccountDetail } from '@/server/operations/operator/schema';
import { describeRates } from '../shared/describe-rates';
import { formatBytes } from '../shared/format-bytes';
import { trpc } from '../shared/trpc-provider';
import { InputProblem } from '../shared/use-submit';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Money } from '../ui/money';
import { accountName } from './account-name';
import { ActDialog } from './act-dialog';
import { Facts } from './facts';
import { limitFields, readLimits } from './limit-fields';
import { useMayAct } from './may-act';

const MIB = 1024 * 1024;

/** The limits of an account, and where they come from. */
export function AccountLimits({ account }: { account: AccountDetail }) {
  const { limits } = account;
  const max = limits.month_limit_max_usd;
  return (
    <Card>
      <CardHeader title="Limits" actions={account.closed ? undefined : <LimitActs account={account} />} />
      <CardBody>
        <Facts
          rows={[
            ['Source', describeSource(limits)],
            ['Calls per key', describeRates(limits)],
            ['Storage', formatBytes(limits.storage_mib * MIB)],
            ['Highest monthly limit', max === null ? 'Any, or none' : <Money key="max" usd={max} />],
          ]}
        />
      </CardBody>
    </Card>
  );
}

function describeSource({ source, plan }: AccountDetail['limits']): string {
  if (source === 'gateway') return 'Gateway';
  if (source === 'plan') return `Plan ${plan?.name ?? ''}`;
  return plan ? `Own, instead of plan ${plan.name}` : 'Own';
}

function LimitActs({ account }: { account: AccountDetail }) {
  const { account_id, limits } = account;
  const mayAct = useMayAct();
  const { data } = useQuery({
    queryKey: ['operator', 'plans'],
    queryFn: ({ signal }) => trpc.operator.plans.list.query(undefined, { signal }),
    enabled: mayAct,
  });
  const who = accountName(account);
  const options = [
    { value: '', label: 'None: the gateway’s limits' },
    ...(data?.plans ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <span className="flex gap-2">
      <ActDialog
        label="Assign plan"
        title={`Assign a plan to ${who}`}
        consequence="Applies at once to all keys of this account, and replaces limits of its own."
        confirmLabel="Assign plan"
        fields={[{ name: 'plan', label: 'Plan', options, defaultValue: limits.plan?.id ?? '' }]}
        done="Plan assigned"
        act={({ plan = '' }) => {
          if (!data)
            throw new InputProblem('The plans could not be loaded. Close this dialog and try again.');
          const choice =
            plan === '' ? ({ source: 'gateway' } as const) : { source: 'plan' as const, plan_id: plan };
          return trpc.operator.plans.assign.mutate({ account_id, limits: choice });
        }}
      />
      <ActDialog
        label="Set own limits"
        title={`Set the limits of ${who}`}
        consequence="Applies at once to all keys of this account. Changes of its plan do not reach it until a plan is assigned again."
        confirmLabel="Set limits"
        fields={limitFields(limits)}
        done="Limits set"
        act={async (values) =>
          await trpc.operator.plans.assign.mutate({
            account_id,
            limits: { source: 'own', limits: readLimits(values) },
          })
        }
      />
    </span>
  );
}
