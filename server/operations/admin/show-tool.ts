import { getAnnotations } from '../../catalog/imports/build-tool';
import {
  type Definition,
  type Difference,
  definitionHash,
  type SkippedSkill,
} from '../../catalog/imports/definition';
import { findImportedUnavailableReason, type ImportedTool } from '../../catalog/imports/imported';
import { canonicalJson } from '../../kit/canonical-json';
import { usdFromMicrousd } from '../../kit/money';
import { getOwnValue } from '../../kit/own-value';
import { formatDollars } from './arguments';
import type { CommandResult } from './command';

const MAX_SHOWN_CHARS = 400;

/** Shows an imported tool in detail. */
export function showTool(tool: ImportedTool): CommandResult & { json: Record<string, unknown> } {
  const { name, presentation, definition, slots, version } = tool;
  const why = findImportedUnavailableReason(tool);
  const skills = definition.skills.map((pinned) => {
    const { upstream, title } = pinned;
    const skill = getOwnValue(presentation.names, upstream) ?? '';
    const { feeMicrousd, providerCostMicrousd } = getOwnValue(tool.skillPrices, skill) ?? tool.price;
    return {
      skill,
      upstream,
      title,
      ...(pinned.request?.server !== undefined && { server: pinned.request.server }),
      read_only: getAnnotations(presentation, pinned).readOnly,
      price_usd: usdFromMicrousd(feeMicrousd + providerCostMicrousd),
      provider_cost_usd: usdFromMicrousd(providerCostMicrousd),
    };
  });
  const width = Math.max(...skills.map(({ skill }) => skill.length), 1);
  return {
    lines: [
      `${name}  ${presentation.displayName} ${version}`,
      `  ${presentation.subtitle}`,
      `  From     ${describeSource(tool)}${tool.allowPrivate ? '  (private network allowed)' : ''}`,
      `  State    ${why === null ? 'available' : `not available: ${why}`}`,
      `  Approved ${tool.definitionHash}`,
      ...slots.map(({ slot, carrier, sealed }) => {
        const where =
          carrier.kind === 'header'
            ? `header ${carrier.header}: ${carrier.format}`
            : `variable ${carrier.variable}`;
        return `  Secret   ${slot} (${where}); the platform's own is ${sealed === null ? 'not set' : 'set'}`;
      }),
      '',
      ...skills.map(
        ({ skill, upstream, title, server, price_usd, read_only }) =>
          `  ${skill.padEnd(width)}  ${price_usd === 0 ? 'free' : formatDollars(price_usd)}  ${title}${upstream === skill ? '' : `  (${upstream})`}${server === undefined ? '' : `  at ${server}`}${read_only ? '  reads only' : ''}`,
      ),
    ],
    json: {
      name,
      display_name: presentation.displayName,
      version,
      source: tool.source,
      available: why === null,
      unavailable_reason: why,
      hash: tool.definitionHash,
      pending_hash: tool.pendingDefinition && definitionHash(tool.pendingDefinition),
      changed_at: tool.changedAt,
      checked_at: tool.checkedAt,
      categories: presentation.categories,
      skills,
      secrets: slots.map(({ slot, carrier, sealed }) => ({ slot, carrier, platform: sealed !== null })),
    },
  };
}

/** Describes the source of a tool in one line. */
export function describeSource({ source }: ImportedTool): string {
  if (source.kind === 'mcp-http') return `MCP at ${source.url}`;
  if (source.kind === 'mcp-stdio') {
    const env = Object.entries(source.env ?? {}).map(([name, value]) => `${name}=${value}`);
    return `MCP by ${[...env, source.command, ...source.args].join(' ')}`;
  }
  return `OpenAPI ${source.url ?? 'from a file'}, API at ${source.server}`;
}

/** Shows each differing part before and after. Long values are cut; --json has them in full. */
export function formatDetails(difference: Difference, before: Definition, after: Definition): string[] {
  const find = ({ skills }: Definition) => skills.find(({ upstream }) => upstream === difference.upstream);
  const [old, next] = [find(before), find(after)];
  const text = (value: unknown) =>
    (typeof value === 'string' ? value : canonicalJson(value)).slice(0, MAX_SHOWN_CHARS);
  return [
    ...formatDifferences([difference]),
    ...difference.parts.flatMap((part) => {
      const key = part as 'title' | 'description' | 'input' | 'output' | 'annotations' | 'request';
      return [`    ${part}`, `      - ${text(old?.[key])}`, `      + ${text(next?.[key])}`];
    }),
  ];
}

/** Lists the differences, one per line. */
export function formatDifferences(differences: readonly Difference[]): string[] {
  return differences.map(
    ({ upstream, kind, parts }) =>
      `  ${kind.padEnd(8)} ${upstream}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`,
  );
}

/** Lists what did not become a skill, or only in part, and why. */
export function formatReasons(heading: string, reasons: readonly SkippedSkill[]): string[] {
  return reasons.length === 0
    ? []
    : [
        '',
        `${heading} (${reasons.length}):`,
        ...reasons.map(({ upstream, reason }) => `  ${upstream}: ${reason}`),
      ];
}
