import type { Tool } from '@/server/catalog/tools/schema';

/** The tools that can use a provider key, and what it saves. */
export interface ProviderFacts {
  tools: { name: string; displayName: string; skills: number }[];
  /** The cheapest price per unit, without and with BYOK; null if no skill is paid. */
  cheapest: { unit: string; usd: number; ownUsd: number } | null;
}

/** Facts of each provider, computed from the catalogue. */
export function buildProviderFacts(tools: readonly Tool[]): Record<string, ProviderFacts> {
  const facts: Record<string, ProviderFacts> = {};
  for (const tool of tools)
    for (const { requirements, pricing } of tool.skills)
      for (const slot of requirements) {
        facts[slot] ??= { tools: [], cheapest: null };
        const fact = facts[slot];
        const known = fact.tools.find(({ name }) => name === tool.name);
        if (known) known.skills++;
        else fact.tools.push({ name: tool.name, displayName: tool.displayName, skills: 1 });
        const { price_usd: usd, unit, byok_rate: rate } = pricing;
        if (usd > 0 && (fact.cheapest === null || usd < fact.cheapest.usd))
          fact.cheapest = { unit, usd, ownUsd: getByokPrice(usd, rate) };
      }
  return facts;
}

/** The BYOK price, rounded up to the micro-dollar, as calls are charged. */
function getByokPrice(usd: number, rate: number): number {
  const micros = Math.round(usd * 1e6);
  const ppm = Math.round(rate * 1e6);
  return Math.ceil((micros * ppm) / 1e6) / 1e6;
}

/** The share of the price with BYOK, which is equal for all tools: `5%`. Null without tools. */
export function formatByokShare(tools: readonly Tool[]): string | null {
  const rate = tools[0]?.skills[0]?.pricing.byok_rate;
  return rate === undefined ? null : `${Number((rate * 100).toFixed(2))}%`;
}
