import { insertPriceChange } from '../../../catalog/prices/store';
import { writeAudit } from '../../../core/audit/audit';
import { invalidFields } from '../../../core/errors/field-errors';
import type { GatewayError } from '../../../core/errors/gateway-error';
import type { Runtime } from '../../../core/runtime';
import { type Microusd, microusdFromUsd } from '../../../kit/money';
import type { ToolDefinition } from '../../../tools/sdk/define-tool';
import { toolNotFound } from '../../../tools/tool-not-found';
import type { OperatorAuditActor } from '../operator';
import { MAX_AHEAD_DAYS, MAX_FEE_USD, MAX_MARKUP_PERCENT } from './limits';
import type { SetToolPrice } from './schema';

const DAY_MS = 86_400_000;
const PPM_PER_PERCENT = 10_000;
/** Clocks differ: this much in the past is now. */
const CLOCK_MS = 60_000;

/**
 * Changes the price of a built-in skill, or the markup of a tool, or resets it, for calls that
 * start from then on. All processes apply it within a second; quoted calls keep their price.
 * @throws GatewayError TOOL_NOT_FOUND, INVALID_INPUT
 */
export async function setToolPrice(
  runtime: Pick<Runtime, 'db' | 'imports' | 'ports' | 'tools'>,
  by: OperatorAuditActor,
  wanted: SetToolPrice,
): Promise<{ changed: boolean }> {
  const tool = getBuiltIn(runtime, wanted.tool);
  const change = wanted.skill === null ? readMarkup(tool, wanted) : readFee(tool, wanted.skill, wanted);
  const effectiveAt = readEffectiveAt(wanted.effective_at, runtime.ports.clock.now());
  const { name: createdBy, requestId } = by;
  const { reason } = wanted;
  await runtime.db.transaction(async (tx) => {
    const row = { tool: tool.name, skill: wanted.skill, ...change, reason, createdBy };
    await insertPriceChange(tx, row, effectiveAt);
    await writeAudit(tx, {
      actor: { name: createdBy, requestId, reason },
      action: 'tool.price',
      target: tool.name,
      details: {
        ...(wanted.skill === null
          ? { markup_percent: wanted.markup_percent ?? 'none' }
          : { skill: wanted.skill, platform_fee_usd: wanted.platform_fee_usd ?? 'default' }),
        ...(effectiveAt && { effective_at: effectiveAt.toISOString() }),
      },
    });
  });
  await runtime.imports.refresh();
  return { changed: true };
}

/** The tool at the prices of the release. @throws GatewayError TOOL_NOT_FOUND, INVALID_INPUT */
export function getBuiltIn(
  { imports, tools }: Pick<Runtime, 'imports' | 'tools'>,
  name: string,
): ToolDefinition {
  const tool = imports.findBuiltIn(name);
  if (tool) return tool;
  if (!tools.findTool(name)) throw toolNotFound(tools, name);
  throw refuse('tool', `${name} is an imported tool: change its price under Source.`);
}

function readFee(
  tool: ToolDefinition,
  skillName: string,
  { platform_fee_usd: usd, markup_percent: markup }: SetToolPrice,
): { feeMicrousd: Microusd | null; markupPpm: null } {
  const skill = tool.skills.find(({ name }) => name === skillName);
  if (!skill) throw refuse('skill', `${tool.name} has no skill ${skillName}.`);
  if (!skill.price.reprice)
    throw refuse(
      'skill',
      `The caller of ${tool.name}.${skillName} chooses its price: it has none to change.`,
    );
  if (markup !== undefined) throw refuse('markup_percent', 'Applies to a tool: leave out the skill.');
  if (usd === undefined) throw refuse('platform_fee_usd', 'Enter an amount, or null for the default.');
  if (usd === null) return { feeMicrousd: null, markupPpm: null };
  const feeMicrousd = usd >= 0 && usd <= MAX_FEE_USD ? microusdFromUsd(usd) : null;
  if (feeMicrousd === null)
    throw refuse('platform_fee_usd', `Must be from $0 to $${MAX_FEE_USD}, with at most six decimals.`);
  return { feeMicrousd, markupPpm: null };
}

function readMarkup(
  tool: ToolDefinition,
  { platform_fee_usd: usd, markup_percent: percent }: SetToolPrice,
): { feeMicrousd: null; markupPpm: number | null } {
  if (usd !== undefined) throw refuse('platform_fee_usd', 'Applies to a skill: name it.');
  if (percent === undefined) throw refuse('markup_percent', 'Enter a percentage, or null for none.');
  if (percent === null) return { feeMicrousd: null, markupPpm: null };
  if (!hasProviderCost(tool))
    throw refuse(
      'markup_percent',
      `No provider charges for ${tool.name}: set the price of its skills instead.`,
    );
  const ppm = percent * PPM_PER_PERCENT;
  if (!(percent >= 0 && percent <= MAX_MARKUP_PERCENT) || Math.abs(ppm - Math.round(ppm)) > 1e-6)
    throw refuse('markup_percent', `Must be from 0 to ${MAX_MARKUP_PERCENT}, with at most four decimals.`);
  return { feeMicrousd: null, markupPpm: Math.round(ppm) };
}

/** Whether a provider charges for a skill of the tool. */
export function hasProviderCost(tool: ToolDefinition): boolean {
  return tool.skills.some(({ price }) => price.providerCostMicrousd > 0n && price.reprice !== undefined);
}

/** Null for now, which is the database's time: clocks differ. */
function readEffectiveAt(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs < -CLOCK_MS || aheadMs > MAX_AHEAD_DAYS * DAY_MS)
    throw refuse('effective_at', `Must be between now and ${MAX_AHEAD_DAYS} days ahead.`);
  return aheadMs <= 0 ? null : at;
}

function refuse(path: string, problem: string): GatewayError {
  return invalidFields([{ path, message: problem }]);
}
