/** Of the Model Context Protocol: what an application's tokens are good for, and nothing else. */
export const RESOURCE_PATH = '/mcp';
/** The one scope there is. */
export const SCOPE = 'tools';

/** What tokens are for (RFC 8707). */
export function resourceOf(baseUrl: string): string {
  return baseUrl + RESOURCE_PATH;
}

/** Whether a client means this gateway: its MCP address or its base address, with a query or a slash at the end or without. */
export function isOwnResource(baseUrl: string, resource: string): boolean {
  const bare = resource.replace(/\?.*$/, '').replace(/\/$/, '');
  return bare === baseUrl || bare === resourceOf(baseUrl);
}
