'use client';

import type { ToolDetail } from '@/server/operations/operator/schema';
import { readAmount } from '../shared/amount';
import { trpc } from '../shared/trpc-provider';
import { ActDialog, ActProblem } from './act-dialog';

/** Switches a tool off for everyone, or on again. */
export function SwitchDialog({ tool }: { tool: ToolDetail }) {
  const { name, display_name: shown } = tool;
  if (tool.off)
    return (
      <ActDialog
        label="Switch on"
        variant="primary"
        size="md"
        title={`Switch ${shown} on?`}
        consequence="It can be called again by everyone, within a second."
        confirmLabel="Switch on"
        reason
        done={`${shown} is on`}
        act={({ reason = '' }) => trpc.operator.tools.switch.mutate({ tool: name, off: false, reason })}
      />
    );
  return (
    <ActDialog
      label="Switch off"
      size="md"
      title={`Switch ${shown} off for everyone?`}
      consequence="New calls are refused within a second and cost nothing; calls that run now end as they would have. It stays in the catalogue as not available."
      confirmLabel="Switch off"
      danger
      reason
      done={`${shown} is off`}
      act={({ reason = '' }) => trpc.operator.tools.switch.mutate({ tool: name, off: true, reason })}
    />
  );
}

interface PriceDialogProps {
  tool: string;
  /** Null: all skills without a price of their own. */
  skill: string | null;
  price: { platform_fee_usd: number; provider_cost_usd: number };
}

/** Changes what an imported tool costs. */
export function PriceDialog({ tool, skill, price }: PriceDialogProps) {
  return (
    <ActDialog
      label="Change price"
      title={`Price of ${skill === null ? tool : `${tool}.${skill}`}`}
      consequence={
        skill === null
          ? 'Of all its skills that have no price of their own. It holds for calls that are opened from now on.'
          : 'It holds for calls that are opened from now on.'
      }
      confirmLabel="Change price"
      fields={[
        {
          name: 'fee',
          label: 'Platform fee',
          hint: 'In dollars, a call.',
          defaultValue: plain(price.platform_fee_usd),
          decimal: true,
        },
        {
          name: 'cost',
          label: 'Provider cost',
          hint: 'In dollars, a call. Callers with a key of their own do not pay it here.',
          defaultValue: plain(price.provider_cost_usd),
          decimal: true,
        },
      ]}
      reason
      done="The price was changed"
      act={async ({ fee = '', cost = '', reason = '' }) => {
        const [feeUsd, costUsd] = [readAmount('Platform fee', fee), readAmount('Provider cost', cost)];
        if ('problem' in feeUsd) throw new ActProblem(feeUsd.problem);
        if ('problem' in costUsd) throw new ActProblem(costUsd.problem);
        await trpc.operator.tools.setPrice.mutate({
          tool,
          skill,
          platform_fee_usd: feeUsd.usd,
          provider_cost_usd: costUsd.usd,
          reason,
        });
      }}
    />
  );
}

/** Never with an exponent. */
function plain(usd: number): string {
  return usd.toFixed(6).replace(/\.?0+$/, '') || '0';
}
