import type { Command } from '../command.js';

export const mcp: Command = {
  name: 'mcp',
  usage: '',
  about: 'Run an MCP server on stdio that forwards to the gateway',
  details: `For MCP clients that start a command instead of connecting to a URL. Messages are forwarded to the gateway's /mcp and
back, unchanged; logs go to standard error. Finding tools requires no key. The key comes from TOOL_GATEWAY_KEY or the
key file.`,
  words: [0, 0],
  async run(session) {
    // Imported lazily: no other command needs the MCP SDK.
    const { runBridge } = await import('../mcp-bridge.js');
    await runBridge(session);
    return undefined;
  },
};
