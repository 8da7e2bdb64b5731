import { approveTool } from '../../catalog/imports/approve-tool';
import { changeTool } from '../../catalog/imports/change-tool';
import { checkTool } from '../../catalog/imports/check-tool';
import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { microusdFromUsd } from '../../kit/money';
import type { OperatorAuditActor } from './operator';

interface Price {
  tool: string;
  skill: string | null;
  platform_fee_usd: number;
  provider_cost_usd: number;
  reason: string;
}

/**
 * Sets the price of an imported tool, or of one of its skills, for calls that start from now on.
 * @throws GatewayError NOT_FOUND, INVALID_INPUT
 */
export async function setPrice(
  runtime: Pick<Runtime, 'db' | 'imports'>,
  by: OperatorAuditActor,
  wanted: Price,
): Promise<{ changed: boolean }> {
  const price = {
    feeMicrousd: parseAmount('platform_fee_usd', wanted.platform_fee_usd),
    providerCostMicrousd: parseAmount('provider_cost_usd', wanted.provider_cost_usd),
  };
  const change = wanted.skill === null ? { price } : { skillPrices: { [wanted.skill]: price } };
  await changeTool(runtime, { ...by, reason: wanted.reason }, wanted.tool, change);
  return { changed: true };
}

function parseAmount(path: string, usd: number): bigint {
  const amount = microusdFromUsd(usd);
  if (amount !== null && amount >= 0n) return amount;
  const message = 'Must be in US dollars with at most six decimals.';
  throw new GatewayError('INVALID_INPUT', {
    message: `${path}: ${message}`,
    details: { fields: [{ path, message }] },
  });
}

/**
 * Approves the last checked definition, if its hash matches.
 * @throws GatewayError NOT_FOUND, INVALID_INPUT
 */
export async function approve(
  runtime: Pick<Runtime, 'db' | 'imports'>,
  by: OperatorAuditActor,
  { tool, hash }: { tool: string; hash: string },
): Promise<{ differences: number }> {
  return { differences: (await approveTool(runtime, by, tool, hash)).length };
}

/** Checks that an imported tool still matches what was approved. @throws GatewayError NOT_FOUND */
export async function check(
  runtime: Pick<Runtime, 'db' | 'imports' | 'log' | 'ports' | 'settings'>,
  by: OperatorAuditActor,
  tool: string,
): Promise<{ state: string; problem: string | null }> {
  const { state, problem } = await checkTool(runtime, tool);
  await writeAudit(runtime.db, { actor: by, action: 'tool.check', target: tool, details: { state } });
  await runtime.imports.refresh();
  return { state, problem };
}
