import type { z } from 'zod';
import { GatewayError } from '../../../core/errors/gateway-error';
import type { provisionResponseSchema } from '../../../identity/accounts/schema';
import { getResource } from '../../../identity/oauth/resource';
import { strictInput } from '../../../kit/strict-input';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildResult } from '../tool-result';

type Provisioned = z.infer<typeof provisionResponseSchema>;

/** Provisions a key, as POST /v1/auth/provision does. */
export const getKey = defineMcpTool({
  name: 'get_key',
  title: 'Get an API key',
  description:
    'Without a key here: create one, without sign-up. Free skills work with it; a person opens claim_url to pay for others. Set it as set_up says.',
  input: strictInput({}),
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  needsKey: false,
  async run(call) {
    if (call.actor !== null) throw hasKey();
    const provisioned = (await invokeProcedure(call, 'auth.provision', undefined)) as Provisioned;
    const set_up = explainSetUp(call.runtime.settings.baseUrl, provisioned.api_key);
    return buildResult(call, { ...provisioned, set_up });
  },
});

function hasKey(): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: 'This server is already set up with a key.',
    hint: 'Call the other tools: they use it. get_account describes it.',
  });
}

/** MCP sessions are no credentials, so the key must come with each request. */
function explainSetUp(baseUrl: string, key: string): string {
  const url = getResource(baseUrl);
  return [
    `Store the key, then ask the user to send it with every request to this server: the header "Authorization: Bearer ${key}" in the configuration of ${url}.`,
    `In Claude Code: claude mcp add --transport http tool-gateway ${url} --header "Authorization: Bearer ${key}".`,
    'Then reconnect: this connection stays without a key. If you can run commands, you can call tools with it right now, as onboarding.first_call shows.',
  ].join(' ');
}
