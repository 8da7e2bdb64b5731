'use client';

import type { ToolDetail } from '@/server/operations/operator/schema';
import { readAmount } from '../shared/amount';
import { trpc } from '../shared/trpc-provider';
import { InputProblem } from '../shared/use-submit';
import { ActDialog } from './act-dialog';

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
        consequence="Everyone can call it again within a second."
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
      consequence="New calls are refused within a second and cost nothing. Running calls finish normally. The tool stays in the catalogue as unavailable."
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
  /** Null for all skills without their own price. */
  skill: string | null;
  price: { platform_fee_usd: number; provider_cost_usd: number };
}

/** Changes the price of an imported tool. */
export function PriceDialog({ tool, skill, price }: PriceDialogProps) {
  return (
    <ActDialog
      label="Change price"
      title={`Price of ${skill === null ? tool : `${tool}.${skill}`}`}
      consequence={
        skill === null
          ? 'Applies to all skills without their own price, for calls started from now on.'
          : 'Applies to calls started from now on.'
      }
      confirmLabel="Change price"
      fields={[
        {
          name: 'fee',
          label: 'Platform fee',
          hint: 'In dollars per call.',
          defaultValue: plain(price.platform_fee_usd),
          decimal: true,
        },
        {
          name: 'cost',
          label: 'Provider cost',
          hint: 'In dollars per call. Callers with BYOK do not pay this.',
          defaultValue: plain(price.provider_cost_usd),
          decimal: true,
        },
      ]}
      reason
      done="Price changed"
      act={async ({ fee = '', cost = '', reason = '' }) => {
        const [feeUsd, costUsd] = [readAmount('Platform fee', fee), readAmount('Provider cost', cost)];
        if ('problem' in feeUsd) throw new InputProblem(feeUsd.problem);
        if ('problem' in costUsd) throw new InputProblem(costUsd.problem);
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

/** Decimal, without exponent notation. */
function plain(usd: number): string {
  return usd.toFixed(6).replace(/\.?0+$/, '') || '0';
}
