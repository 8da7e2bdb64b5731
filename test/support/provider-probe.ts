import { z } from 'zod';
import { SkillError } from '@/server/core/errors/skill-error';
import { PROVIDERS } from '@/server/platform/settings/providers';
import {
  type Cost,
  defineSkill,
  defineTool,
  type Price,
  type ToolDefinition,
} from '@/server/tools/sdk/define-tool';
import type { RateTable } from '@/server/tools/sdk/rates';

const input = z.object({
  /** `gpt…` selects one provider, `claude…` the other; `local` needs none. */
  model: z.string().default('any'),
  /** `repeat` returns the response, `leak` logs and throws it, `away` requests a redirect. */
  mode: z.enum(['ask', 'not-ask', 'repeat', 'leak', 'away', 'wait']).default('ask'),
  units: z.int().min(1).max(1000).default(1),
  used: z.int().min(0).max(1000).optional(),
});
type Input = z.infer<typeof input>;
const output = z.object({ slot: z.string(), own: z.boolean(), text: z.string() });

/** Price of one unit: the platform fee and the provider's cost. */
export const UNIT_FEE = 101n;
export const UNIT_COST = 1_000n;
const UNIT_RATES = { fee: UNIT_FEE, cost: UNIT_COST };

const price: Price<Input, { units: number }> = {
  free: false,
  platformFeeMicrousd: UNIT_FEE,
  providerCostMicrousd: UNIT_COST,
  unit: 'unit',
  costFields: ['units'],
  rates: () => UNIT_RATES,
  quote: ({ units }, rates) => getCost(units, rates),
  settle: ({ units }, usage, rates) => getCost(usage?.units ?? units, rates),
};

function getCost(units: number, rates: RateTable = UNIT_RATES): Cost {
  const { fee, cost } = rates as typeof UNIT_RATES;
  return { platformFee: fee * BigInt(units), providerCost: cost * BigInt(units) };
}

/** A tool that uses one of two providers: `ask` in the request, `ask_queued` in a worker. */
export function createProviderProbe(): ToolDefinition {
  const skill = (name: string, estimatedSeconds: number) =>
    defineSkill<Input, z.infer<typeof output>, { units: number }>({
      name,
      displayName: name,
      description: 'For tests',
      input,
      output,
      returns: 'which provider was asked, and with whose key',
      examples: [],
      price,
      requirements: ['openai', 'anthropic'],
      getRequirementsFor({ model }) {
        if (model.startsWith('gpt')) return ['openai'];
        if (model.startsWith('claude')) return ['anthropic'];
        return model === 'local' ? [] : ['openai', 'anthropic'];
      },
      annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds },
      async run(context) {
        const { mode, model, units, used } = context.input;
        const usage = { units: used ?? units };
        if (model === 'local') return { output: { slot: 'none', own: false, text: '' }, usage };
        const { provider } = context;
        const { slot, isByok } = provider;
        if (mode === 'not-ask') return { output: { slot, own: isByok, text: '' }, usage };
        const response = await provider.fetch(mode === 'away' ? '/v1/away' : '/v1/ask');
        const text = await response.text();
        if (mode === 'leak') {
          context.log(text);
          throw new Error(text, { cause: new Error(text) });
        }
        if (mode === 'wait') {
          context.log('asked');
          await new Promise((_, reject) => {
            context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true });
          });
        }
        const name = PROVIDERS[slot as keyof typeof PROVIDERS].displayName;
        if (!response.ok) throw new SkillError(`${name} answered ${response.status}: ${text}`);
        return { output: { slot, own: isByok, text: mode === 'repeat' ? text : '' }, usage };
      },
    });
  return defineTool({
    name: 'provider-probe',
    displayName: 'Provider probe',
    subtitle: 'For tests',
    description: 'For tests',
    categories: ['test'],
    version: '1.0.0',
    skills: [skill('ask', 1), skill('ask_queued', 30)],
  });
}
