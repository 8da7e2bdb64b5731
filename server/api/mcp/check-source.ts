import { isIP } from 'node:net';
import type { HttpRequest } from '../../core/http/message';

/** What is asked of where a request comes from. */
export interface SourceRules {
  baseUrl: string;
  /** Origins of other sites that may ask too. */
  allowedOrigins: readonly string[];
}

/**
 * Why a request is not taken, or null. A page of another site may have had its own name point at this machine (DNS
 * rebinding): such a request names a host that is not ours, and an origin that is not ours (the specification of MCP,
 * Streamable HTTP, security). An address in digits cannot be rebound: proxies and people on the machine may use it.
 */
export function refuseSource(request: Pick<HttpRequest, 'header'>, rules: SourceRules): string | null {
  const base = new URL(rules.baseUrl);
  const host = request.header('host');
  if (host !== undefined && !isOurHost(host, base)) return `The Host header is not ${base.host}.`;
  const origin = request.header('origin');
  if (
    origin === undefined ||
    isOurOrigin(origin, base) ||
    rules.allowedOrigins.includes(origin.toLowerCase())
  )
    return null;
  return 'Pages of this origin may not use /mcp; the operator allows others with MCP_ALLOWED_ORIGINS.';
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
