import type { GetPromptResult } from '@modelcontextprotocol/server';
import { GatewayError } from '../../core/errors/gateway-error';
import { buildInstructions } from './instructions';
import type { McpPrompt } from './surface';

const MAX_TASK = 4000;

/** Teaches a model how to get from a task to a result. */
export const useTools: McpPrompt = {
  listed: {
    name: 'use_tools',
    title: 'Do a task with tools',
    description: 'How to find, check and call tools of this gateway for a task, and poll their jobs.',
    arguments: [{ name: 'task', description: 'The task, in your own words.', required: true }],
  },
  get({ runtime }, { task }): GetPromptResult {
    if (task === undefined || task.trim() === '' || task.length > MAX_TASK) {
      const message = `Describe the task in at most ${MAX_TASK} characters.`;
      throw new GatewayError('INVALID_INPUT', {
        message: `task: ${message}`,
        details: { fields: [{ path: 'task', message }] },
      });
    }
    const text = `${buildInstructions(runtime.settings.baseUrl)}\n\nDo this task with the tools of the gateway. Choose the cheapest skill that does it, keep input small, and report what was charged (usage.cost) at the end.\n\nTask: ${task}`;
    return {
      description: 'The workflow and the task.',
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  },
};
