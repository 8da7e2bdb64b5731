import { strictInput } from '../../../kit/strict-input';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildResult } from '../tool-result';

/** The secret of the webhooks of calls, which an application over OAuth can read only here. */
export const getWebhookSecret = defineMcpTool({
  name: 'get_webhook_secret',
  title: 'Get the webhook secret',
  description:
    'The secret of this key that signs what call_tool sends to its webhook (Standard Webhooks). The receiver verifies the signature with it.',
  input: strictInput({}),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call) {
    return buildResult(call, await invokeProcedure(call, 'webhooks.secret', undefined));
  },
});
