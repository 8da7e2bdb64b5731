import type { Pricing, Skill, Tool } from '@/server/catalog/tools/schema';
import { cn } from '../ui/cn';
import { Money } from '../ui/money';

interface SkillPriceProps {
  pricing: Pricing;
  /** Omits the unit's footnote, for lists. */
  short?: boolean;
  className?: string;
}

/** The end of a unit whose price is the minimum; `diagnostics.test.ts` expects it too. */
const LEAST = ', shown is the least';

/** The price per unit of a skill: `Free`, `$0.0005 per call`, `From $0.000001 per call`. */
export function SkillPrice({ pricing, short, className }: SkillPriceProps) {
  if (pricing.free) return <span className={cn('whitespace-nowrap', className)}>Free</span>;
  return (
    <span className={className}>
      {pricing.unit.endsWith(LEAST) && 'From '}
      <Money usd={pricing.price_usd} exact />{' '}
      <span className="text-muted">per {short ? shortUnit(pricing) : pricing.unit.replace(LEAST, '')}</span>
    </span>
  );
}

/** The unit without its footnote: `call` of `call; you choose the amount`. */
export function shortUnit(pricing: Pricing): string {
  return pricing.unit.split(';', 1)[0] ?? pricing.unit;
}

/** The pricing of a tool's cheapest skill; null if it has no skills. */
export function findCheapest(skills: readonly Skill[]): Pricing | null {
  let best: Pricing | null = null;
  for (const { pricing } of skills) if (!best || getPrice(pricing) < getPrice(best)) best = pricing;
  return best;
}

function getPrice(pricing: Pricing): number {
  return pricing.free ? 0 : pricing.price_usd;
}

/** `Free`, `Free, paid from $0.001 per call` or `From $0.001 per call`. */
export function ToolPrice({ tool, className }: { tool: Pick<Tool, 'skills'>; className?: string }) {
  const least = findCheapest(tool.skills);
  if (!least) return null;
  const paid = tool.skills.filter((skill) => !skill.pricing.free);
  const leastPaid = findCheapest(paid);
  if (!leastPaid) return <span className={className}>Free</span>;
  return (
    <span className={className}>
      {least.free ? 'Free, paid from ' : 'From '}
      <Money usd={leastPaid.price_usd} exact /> <span className="text-muted">per {shortUnit(leastPaid)}</span>
    </span>
  );
}
