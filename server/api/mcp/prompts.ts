import type { GetPromptResult } from '@modelcontextprotocol/server';
import { GatewayError } from '../../core/errors/gateway-error';
import { instructionsOf } from './instructions';
import type { McpPrompt } from './surface';

const MAX_TASK = 4000;

/** Teaches a model the way from a task to a result. */
export const useTools: McpPrompt = {
  listed: {
    name: 'use_tools',
    title: 'Do a task with tools',
    description: 'How to find, check, call and follow tools of this gateway for a task.',
    arguments: [{ name: 'task', description: 'What is to be done, in your own words.', required: true }],
  },
  get({ runtime }, { task }): GetPromptResult {
    if (task === undefined || task.trim() === '' || task.length > MAX_TASK) {
      const message = `Say what is to be done, in ${MAX_TASK} characters at most.`;
      throw new GatewayError('INVALID_INPUT', {
        message: `task: ${message}`,
        details: { fields: [{ path: 'task', message }] },
      });
    }
    const text = `${instructionsOf(runtime.settings.baseUrl)}\n\nDo this task with the tools of the gateway. Choose the cheapest skill that does it, keep input small, and say what was charged (usage.cost) in the end.\n\nTask: ${task}`;
    return {
      description: 'The work flow, and the task.',
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  },
};
