import { tools } from '@/server/tools/registry';
import type { ChannelCall } from './channel';

/** A call that every channel makes, in the order of the list. */
export interface ChannelCase extends ChannelCall {
  title: string;
}

/** Paid skills; one of them creates a file. */
const PAID = ['math.statistics', 'image.resize', 'diagnostics.spend'];

/**
 * All examples of every free skill that needs no network, and the first example of some paid ones.
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

/** Calls that are rejected or fail, each with its error code. */
export const failures: (ChannelCase & { code: string })[] = [
  { title: 'an unknown tool', tool: 'nope', skill: 'x', input: {}, code: 'TOOL_NOT_FOUND' },
  { title: 'an unknown skill', tool: 'math', skill: 'nope', input: {}, code: 'SKILL_NOT_FOUND' },
  { title: 'a missing field', tool: 'math', skill: 'evaluate', input: {}, code: 'INVALID_INPUT' },
  {
    title: 'fields of the wrong type',
    tool: 'diagnostics',
    skill: 'sleep',
    input: { seconds: 'soon', log_every_seconds: -1 },
    code: 'INVALID_INPUT',
  },
  {
    title: 'a missing provider key',
    tool: 'web-search',
    skill: 'search',
    input: { query: 'anything' },
    code: 'MISSING_CREDENTIALS',
  },
  {
    title: 'input that the handler rejects',
    tool: 'math',
    skill: 'evaluate',
    input: { expression: '6*' },
    code: 'INVALID_INPUT',
  },
  {
    title: 'a missing file',
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
