import type { Command } from '../command.js';

export const mcp: Command = {
  name: 'mcp',
  usage: '',
  about: 'Be an MCP server on standard input and output, in front of the gateway',
  details: `For clients that start a command instead of connecting to an address. Every message goes to the gateway's /mcp and
back, unchanged; logs go to standard error. Without a key finding tools works. The key comes from TOOL_GATEWAY_KEY or
the key file.`,
  words: [0, 0],
  async run(session) {
    // Loaded late: no other command needs the MCP SDK.
    const { runBridge } = await import('../mcp-bridge.js');
    await runBridge(session);
    return undefined;
  },
};
