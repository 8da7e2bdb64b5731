import type { AnySkill, PriceChange, ToolDefinition } from '../../tools/sdk/define-tool';
import type { CurrentPrices } from './read-current-prices';

type Rows = CurrentPrices['rows'];

/**
 * The built-in tools at the prices that operators set. A tool is built again only if its prices
 * change, because its JSON Schemas and checks are cached by its definition.
 */
export class PricedTools {
  readonly #builtIn: readonly ToolDefinition[];
  readonly #built = new Map<string, { key: string; tool: ToolDefinition }>();

  constructor(builtIn: readonly ToolDefinition[]) {
    this.#builtIn = builtIn;
  }

  apply({ rows }: Pick<CurrentPrices, 'rows'>): ToolDefinition[] {
    return this.#builtIn.map((tool) => {
      const own = rows.filter((row) => row.tool === tool.name && (row.fee ?? row.markup) !== null);
      if (own.length === 0) return tool;
      const key = own.map(({ skill, fee, markup }) => `${skill} ${fee} ${markup}`).join();
      const known = this.#built.get(tool.name);
      if (known?.key === key) return known.tool;
      const built = { ...tool, skills: tool.skills.map((skill) => repriceSkill(skill, own)) };
      this.#built.set(tool.name, { key, tool: built });
      return built;
    });
  }
}

function repriceSkill(skill: AnySkill, rows: Rows): AnySkill {
  const change = findPriceChange(skill, rows);
  const price = change && skill.price.reprice?.(change);
  return price ? { ...skill, price } : skill;
}

/** What the rows of a tool change of a skill's price; null for nothing. Pure. */
function findPriceChange(skill: AnySkill, rows: Rows): PriceChange | null {
  const fee = rows.find((row) => row.skill === skill.name)?.fee ?? undefined;
  const markup = rows.find((row) => row.skill === null)?.markup ?? undefined;
  const markupPpm =
    markup === undefined || skill.price.providerCostMicrousd === 0n ? undefined : BigInt(markup);
  return fee === undefined && markupPpm === undefined ? null : { platformFeeMicrousd: fee, markupPpm };
}
