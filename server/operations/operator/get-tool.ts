import {
  compareDefinitions,
  type Definition,
  type Difference,
  definitionHash,
} from '../../catalog/imports/definition';
import type { ImportedTool } from '../../catalog/imports/imported';
import type { Runtime } from '../../core/runtime';
import { usdFromMicrousd } from '../../kit/money';
import { toolNotFound } from '../../tools/tool-not-found';
import { describeAvailability, describeTool } from './list-tools';
import { toIso, toIsoOrNull } from './operator';
import type { ToolDetail, ToolPeriod } from './schema';
import { countErrors, measureSkills, type SkillRow } from './tools-store';

/** The shown length of a differing part: a schema may be long. */
const MAX_PART_CHARS = 4_000;

/**
 * Shows one tool: its skills, its errors, and the state of an imported one.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function getTool(
  runtime: Pick<Runtime, 'db' | 'engines' | 'slots' | 'switches' | 'tools'>,
  name: string,
  period: ToolPeriod,
): Promise<ToolDetail> {
  const tool = runtime.tools.findTool(name);
  if (!tool) throw toolNotFound(runtime.tools, name);
  const [{ row, availability, offReason, imported }, measured, errors] = await Promise.all([
    describeTool(runtime, tool, period),
    measureSkills(runtime.db, name, period),
    countErrors(runtime.db, name, period),
  ]);
  const bySkill = new Map(measured.map((each) => [each.skill, each]));
  return {
    ...row,
    off_reason: offReason,
    skill_rows: tool.skills.map((skill) => ({
      name: skill.name,
      ...describeAvailability(availability.skills.get(skill) ?? availability.tool),
      ...toHealth(bySkill.get(skill.name)),
      price: {
        platform_fee_usd: usdFromMicrousd(skill.price.platformFeeMicrousd),
        provider_cost_usd: usdFromMicrousd(skill.price.providerCostMicrousd),
        unit: skill.price.unit,
      },
    })),
    errors: errors.map(({ last_at, ...error }) => ({ ...error, last_at: toIso(last_at) })),
    source: imported && describeSource(imported),
  };
}

function toHealth(row: SkillRow | undefined) {
  return {
    calls: row?.calls ?? 0,
    valid_calls: row?.valid ?? 0,
    failed: row?.failed ?? 0,
    revenue_usd: usdFromMicrousd(row?.revenue ?? 0n),
    p50_ms: row?.p50 ?? null,
    p99_ms: row?.p99 ?? null,
    last_error_at: toIsoOrNull(row?.last_error_at ?? null),
  };
}

function describeSource(tool: ImportedTool): NonNullable<ToolDetail['source']> {
  const { source, definition, pendingDefinition: pending, price } = tool;
  return {
    kind: source.kind,
    address: formatAddress(tool),
    checked_at: tool.checkedAt?.toISOString() ?? null,
    problem: tool.problem,
    pending_hash: pending && definitionHash(pending),
    differences: pending
      ? compareDefinitions(definition, pending).map((difference) => describe(difference, definition, pending))
      : [],
    price: {
      platform_fee_usd: usdFromMicrousd(price.feeMicrousd),
      provider_cost_usd: usdFromMicrousd(price.providerCostMicrousd),
    },
  };
}

/** Without the query, which may contain an API key. */
function formatAddress({ source }: ImportedTool): string {
  if (source.kind === 'mcp-stdio') return source.command;
  const { origin, pathname } = new URL(source.kind === 'openapi' ? source.server : source.url);
  return origin + pathname;
}

function describe({ upstream, kind, parts }: Difference, before: Definition, after: Definition) {
  const find = ({ skills }: Definition) => skills.find((skill) => skill.upstream === upstream);
  const [old, next] = [find(before), find(after)];
  const text = (value: unknown) =>
    (typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '')).slice(0, MAX_PART_CHARS);
  return {
    skill: upstream,
    kind,
    parts: parts.map((part) => ({
      part,
      before: text(old?.[part as keyof typeof old]),
      after: text(next?.[part as keyof typeof next]),
    })),
  };
}
