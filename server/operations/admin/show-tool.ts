import { canonicalJson } from '../../catalog/imports/canonical-json';
import {
  type Definition,
  type Difference,
  definitionHash,
  type LeftOut,
} from '../../catalog/imports/definition';
import { type ImportedTool, whyUnavailable } from '../../catalog/imports/imported';
import { usdFromMicrousd } from '../../kit/money';
import { ownValue } from '../../kit/own-value';
import { dollars } from './arguments';
import type { CommandResult } from './command';

const MAX_SHOWN_CHARS = 400;

/** Shows an imported tool in detail. */
export function showTool(tool: ImportedTool): CommandResult & { json: Record<string, unknown> } {
  const { name, presentation, definition, slots, version } = tool;
  const why = whyUnavailable(tool);
  const skills = definition.skills.map(({ upstream, title }) => {
    const skill = ownValue(presentation.names, upstream) ?? '';
    const { feeMicrousd, providerCostMicrousd } = ownValue(tool.skillPrices, skill) ?? tool.price;
    return {
      skill,
      upstream,
      title,
      price_usd: usdFromMicrousd(feeMicrousd + providerCostMicrousd),
      provider_cost_usd: usdFromMicrousd(providerCostMicrousd),
    };
  });
  const width = Math.max(...skills.map(({ skill }) => skill.length), 1);
  return {
    lines: [
      `${name}  ${presentation.displayName} ${version}`,
      `  ${presentation.subtitle}`,
      `  From     ${sourceText(tool)}${tool.allowPrivate ? '  (private network allowed)' : ''}`,
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
        ({ skill, upstream, title, price_usd }) =>
          `  ${skill.padEnd(width)}  ${price_usd === 0 ? 'free' : dollars(price_usd)}  ${title}${upstream === skill ? '' : `  (${upstream})`}`,
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
export function sourceText({ source }: ImportedTool): string {
  if (source.kind === 'mcp-http') return `MCP at ${source.url}`;
  if (source.kind === 'mcp-stdio') return `MCP by ${[source.command, ...source.args].join(' ')}`;
  return `OpenAPI ${source.url ?? 'from a file'}, API at ${source.server}`;
}

/** Shows each differing part before and after. Long values are cut; --json has them in full. */
export function detailLines(difference: Difference, before: Definition, after: Definition): string[] {
  const find = ({ skills }: Definition) => skills.find(({ upstream }) => upstream === difference.upstream);
  const [old, next] = [find(before), find(after)];
  const text = (value: unknown) =>
    (typeof value === 'string' ? value : canonicalJson(value)).slice(0, MAX_SHOWN_CHARS);
  return [
    ...differenceLines([difference]),
    ...difference.parts.flatMap((part) => {
      const key = part as 'title' | 'description' | 'input' | 'output' | 'annotations' | 'request';
      return [`    ${part}`, `      - ${text(old?.[key])}`, `      + ${text(next?.[key])}`];
    }),
  ];
}

/** Lists the differences, one per line. */
export function differenceLines(differences: readonly Difference[]): string[] {
  return differences.map(
    ({ upstream, kind, parts }) =>
      `  ${kind.padEnd(8)} ${upstream}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`,
  );
}

/** Lists what did not become a skill, and why. */
export function leftOutLines(leftOut: readonly LeftOut[]): string[] {
  return leftOut.length === 0
    ? []
    : [
        '',
        `Left out (${leftOut.length}):`,
        ...leftOut.map(({ upstream, reason }) => `  ${upstream}: ${reason}`),
      ];
}
