/** Of the Model Context Protocol: what an application's tokens are good for, and nothing else. */
export const RESOURCE_PATH = '/mcp';
/** The one scope there is. */
export const SCOPE = 'tools';

/** What tokens are for (RFC 8707). */
export function resourceOf(baseUrl: string): string {
  return baseUrl + RESOURCE_PATH;
}

/** Whether a client means this gateway: its MCP address or its base address, with or without a slash at the end. */
export function isOwnResource(baseUrl: string, resource: string): boolean {
  const bare = resource.replace(/\/$/, '');
  return bare === baseUrl || bare === resourceOf(baseUrl);
}
