/**
 * The beginning of a command line of the admin CLI. `tool-gateway-server` sets the folder: it is
 * started where npm has no scripts of the gateway.
 */
export function getAdminCommand(): string {
  return process.env.TOOL_GATEWAY_FOLDER ? 'npx tool-gateway-server admin' : 'npm run admin --';
}
