import { readFileSync } from 'node:fs';
import { fromRoot } from './from-root';

/** The version of this gateway, which package.json has. */
export const GATEWAY_VERSION = readVersion();

/** What the gateway calls itself to MCP clients and servers. */
export const MCP_IDENTITY = { name: 'tool-gateway', version: GATEWAY_VERSION };

/** What it calls itself to websites. */
export const USER_AGENT = `ToolGateway/${GATEWAY_VERSION}`;

function readVersion(): string {
  // Cannot throw: package.json of the program
  const { version } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as { version?: unknown };
  return typeof version === 'string' ? version : 'unknown';
}
