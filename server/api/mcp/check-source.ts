import { isIP } from 'node:net';
import type { HttpRequest } from '../../core/http/message';

/** Where requests may come from. */
export interface SourceRules {
  baseUrl: string;
  /** Origins of other sites that may use /mcp. */
  allowedOrigins: readonly string[];
}

/**
 * Returns why a request is refused, or null. With DNS rebinding, another site's page points its own
 * name at this machine: such a request has a foreign Host and Origin (MCP specification, Streamable
 * HTTP, security). IP addresses cannot be rebound, so proxies and local users may use them as Host.
 */
export function refuseSource(request: Pick<HttpRequest, 'header'>, rules: SourceRules): string | null {
  const base = new URL(rules.baseUrl);
  const host = request.header('host');
  if (host !== undefined && !isOurHost(host, base)) return `The Host header must be ${base.host}.`;
  const origin = request.header('origin');
  if (
    origin === undefined ||
    isOurOrigin(origin, base) ||
    rules.allowedOrigins.includes(origin.toLowerCase())
  )
    return null;
  return 'This origin may not use /mcp. The operator can allow it with MCP_ALLOWED_ORIGINS.';
}

function isOurHost(host: string, base: URL): boolean {
  if (host.toLowerCase() === base.host) return true;
  const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || (name === 'localhost' && isLoopback(base.hostname));
}

function isOurOrigin(origin: string, base: URL): boolean {
  if (origin.toLowerCase() === base.origin) return true;
  const url = parseOrigin(origin);
  return (
    url !== null &&
    url.protocol === base.protocol &&
    url.port === base.port &&
    isLoopback(url.hostname) &&
    isLoopback(base.hostname)
  );
}

function parseOrigin(origin: string): URL | null {
  try {
    return new URL(origin);
  } catch {
    return null;
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
