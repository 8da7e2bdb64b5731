/** The MCP endpoint, the only place where applications' tokens are valid. */
export const RESOURCE_PATH = '/mcp';
/** The only scope. */
export const SCOPE = 'tools';

/** Returns the resource that tokens are issued for (RFC 8707). */
export function getResource(baseUrl: string): string {
  return baseUrl + RESOURCE_PATH;
}

/**
 * Whether a resource is this gateway: its MCP URL or base URL, ignoring a query and a trailing
 * slash.
 */
export function isGatewayResource(baseUrl: string, resource: string): boolean {
  const bare = resource.replace(/\?.*$/, '').replace(/\/$/, '');
  return bare === baseUrl || bare === getResource(baseUrl);
}
