import { z } from 'zod';
import { usdFromMicrousd } from '../billing/money';
import type { ToolDefinition } from '../tools/define-tool';
import type { Tool } from './schema';
import type { ToolFact } from './tool-facts';

export function describeTool(
  tool: ToolDefinition,
  o: { detail: boolean; byokRate: number; facts: ToolFact },
): Tool {
  return {
    name: tool.name,
    displayName: tool.displayName,
    subtitle: tool.subtitle,
    description: tool.description,
    categories: [...tool.categories],
    version: tool.version,
    ...o.facts,
    skills: tool.skills.map((s) => ({
      name: s.name,
      displayName: s.displayName,
      description: s.description,
      returns: s.returns,
      pricing: {
        free: s.price.free,
        price_usd: usdFromMicrousd(s.price.platformFeeMicrousd + s.price.providerCostMicrousd),
        platform_fee_usd: usdFromMicrousd(s.price.platformFeeMicrousd),
        provider_cost_usd: usdFromMicrousd(s.price.providerCostMicrousd),
        unit: s.price.unit,
        byok_rate: o.byokRate,
      },
      annotations: { ...s.annotations },
      requirements: [...(s.requirements ?? [])],
      ...(o.detail
        ? {
            input: z.toJSONSchema(s.input, { io: 'input' }) as never,
            inputSchema: z.toJSONSchema(s.input, { io: 'input' }) as never,
            outputSchema: z.toJSONSchema(s.output) as never,
            examples: s.examples.map((e) => ({ ...e })),
          }
        : {}),
    })),
  };
}
