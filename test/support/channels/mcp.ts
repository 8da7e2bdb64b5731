import { connectMcp, type McpClientKind } from '../mcp-client';
import { type OpenChannel, toOutcome } from './channel';

/** `call_tool` of /mcp, through an official MCP client of the given generation. */
export const mcp =
  (kind: McpClientKind): OpenChannel =>
  async ({ baseUrl }, { key }) => {
    const client = await connectMcp(baseUrl, kind, key);
    return {
      async call(call) {
        const { structuredContent, isError } = await client.callTool('call_tool', { ...call });
        const outcome = toOutcome(structuredContent);
        if ('error' in outcome !== (isError === true)) throw new Error('isError contradicts the body');
        return outcome;
      },
      close: () => client.close(),
    };
  };
