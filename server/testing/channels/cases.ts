import { tools } from '../../tools/registry';
import type { ChannelCall } from './channel';

/** A call that every channel makes, in this order. */
export interface ChannelCase extends ChannelCall {
  title: string;
}

/** Paid skills, one of which makes a file. */
const PAID = ['math.statistics', 'image.resize', 'diagnostics.spend'];

/**
 * Every free skill that works without a network, with all its examples; some paid ones with their
 * first.
 */
export const examples: ChannelCase[] = tools.flatMap((tool) =>
  tool.skills.flatMap((skill) => {
    const isPaid = PAID.includes(`${tool.name}.${skill.name}`);
    if (!skill.price.free && !isPaid) return [];
    return skill.examples.slice(0, isPaid ? 1 : undefined).map(({ description, input }) => ({
      title: `${tool.name}.${skill.name}: ${description}`,
      tool: tool.name,
      skill: skill.name,
      input: input as Record<string, unknown>,
    }));
  }),
);

/** Calls that are refused or fail, by the code of each. */
export const failures: (ChannelCase & { code: string })[] = [
  { title: 'an unknown tool', tool: 'nope', skill: 'x', input: {}, code: 'TOOL_NOT_FOUND' },
  { title: 'an unknown skill', tool: 'math', skill: 'nope', input: {}, code: 'SKILL_NOT_FOUND' },
  { title: 'a missing field', tool: 'math', skill: 'evaluate', input: {}, code: 'INVALID_INPUT' },
  {
    title: 'fields of wrong types',
    tool: 'diagnostics',
    skill: 'sleep',
    input: { seconds: 'soon', log_every_seconds: -1 },
    code: 'INVALID_INPUT',
  },
  {
    title: 'a provider’s key that nobody has',
    tool: 'web-search',
    skill: 'search',
    input: { query: 'anything' },
    code: 'MISSING_CREDENTIALS',
  },
  {
    title: 'input that only the handler can judge',
    tool: 'math',
    skill: 'evaluate',
    input: { expression: '6*' },
    code: 'INVALID_INPUT',
  },
  {
    title: 'a file that is not there',
    tool: 'image',
    skill: 'inspect',
    input: { image: 'asset_0000' },
    code: 'ASSET_NOT_FOUND',
  },
  {
    title: 'a handler that fails',
    tool: 'diagnostics',
    skill: 'flaky',
    input: { mode: 'throw' },
    code: 'HANDLER_ERROR',
  },
  {
    title: 'more than the account has',
    tool: 'diagnostics',
    skill: 'spend',
    input: { amount_usd: 1 },
    code: 'INSUFFICIENT_CREDITS',
  },
];
