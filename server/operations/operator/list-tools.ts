import type { ImportedTool } from '../../catalog/imports/imported';
import { listTools as listImported } from '../../catalog/imports/list-tools';
import { type Availability, getAvailability, type ToolAvailability } from '../../catalog/tools/availability';
import type { Runtime } from '../../core/runtime';
import { usdFromMicrousd } from '../../kit/money';
import type { ToolDefinition } from '../../tools/sdk/define-tool';
import { toIsoOrNull } from './operator';
import type { OperatorTool, ToolPeriod } from './schema';
import {
  type CountRow,
  countTools,
  listLastErrors,
  listSwitched,
  measureLatencies,
  type TimeRow,
} from './tools-store';

const ALL_TOOLS = 1_000;

interface Facts {
  counts: ReadonlyMap<string, CountRow>;
  times: ReadonlyMap<string, TimeRow>;
  errors: ReadonlyMap<string, string>;
  off: ReadonlyMap<string, string>;
  imported: ReadonlyMap<string, ImportedTool>;
}

/** Lists every tool with its health, the most called ones first. */
export async function listTools(
  runtime: Pick<Runtime, 'catalog' | 'db' | 'engines' | 'slots' | 'switches'>,
  period: ToolPeriod,
): Promise<{ tools: OperatorTool[] }> {
  const facts = await readFacts(runtime, period);
  const tools = await Promise.all(
    runtime.catalog
      .list({ limit: ALL_TOOLS })
      .map(async (tool) => describe(tool, facts, await getAvailability(runtime, tool))),
  );
  return { tools: tools.sort((a, b) => b.calls - a.calls || a.name.localeCompare(b.name)) };
}

/** One tool, with the reason it was switched off. */
export async function describeTool(
  runtime: Pick<Runtime, 'db' | 'engines' | 'slots' | 'switches'>,
  tool: ToolDefinition,
  period: ToolPeriod,
) {
  const facts = await readFacts(runtime, period);
  const availability = await getAvailability(runtime, tool);
  return {
    row: describe(tool, facts, availability),
    availability,
    offReason: facts.off.get(tool.name) ?? null,
    imported: facts.imported.get(tool.name) ?? null,
  };
}

async function readFacts(runtime: Pick<Runtime, 'db'>, period: ToolPeriod): Promise<Facts> {
  const { db } = runtime;
  const [counts, times, errors, off, imported] = await Promise.all([
    countTools(db, period),
    measureLatencies(db, period),
    listLastErrors(db),
    listSwitched(db),
    listImported(runtime),
  ]);
  return {
    counts: new Map(counts.map((row) => [row.tool, row])),
    times: new Map(times.map((row) => [row.tool, row])),
    errors: new Map(errors.map(({ tool, at }) => [tool, at])),
    off: new Map(off.map(({ tool, reason }) => [tool, reason])),
    imported: new Map(imported.map((tool) => [tool.name, tool])),
  };
}

function describe(tool: ToolDefinition, facts: Facts, availability: ToolAvailability): OperatorTool {
  const { name } = tool;
  const count = facts.counts.get(name);
  const time = facts.times.get(name);
  const imported = facts.imported.get(name);
  return {
    name,
    display_name: tool.displayName,
    skills: tool.skills.length,
    calls: count?.calls ?? 0,
    valid_calls: count?.valid ?? 0,
    failed: count?.failed ?? 0,
    revenue_usd: usdFromMicrousd(count?.revenue ?? 0n),
    p50_ms: time?.p50 ?? null,
    p99_ms: time?.p99 ?? null,
    last_error_at: toIsoOrNull(facts.errors.get(name) ?? null),
    ...describeAvailability(availability.tool),
    off: facts.off.has(name) || imported?.disabledAt != null,
    imported: imported ? getState(imported) : null,
  };
}

/** With how to fix it, which callers do not see. */
export function describeAvailability({
  state,
  reason,
  fix,
}: Availability): Pick<OperatorTool, 'availability' | 'unavailable'> {
  return { availability: state, unavailable: reason && [reason, fix].filter(Boolean).join(' ') };
}

function getState(tool: ImportedTool): NonNullable<OperatorTool['imported']> {
  if (tool.disabledAt) return 'disabled';
  if (tool.changedAt) return 'changed';
  if (tool.problem) return 'error';
  return tool.pendingDefinition ? 'news' : 'approved';
}
