import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/**
 * Resolves all addresses of an untrusted name. Avoids the system's lookup, which blocks one of the
 * four threads that files, hashing and compression share for as long as a name server takes.
 * @param servers for tests: other name servers than the system's, and a shorter timeout per try
 */
export async function resolveUntrustedName(
  hostname: string,
  servers?: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<LookupAddress[]> {
  const own = await findInHostsFile(hostname);
  if (own.length > 0) return own;
  // A new one each time, because it reads the system's configuration when it is created.
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && four.status === 'rejected') throw toSystemError(four.reason);
  return found;
}

/**
 * Maps an error to the system lookup's codes: ENOTFOUND, or EAI_AGAIN if the name servers failed.
 */
function toSystemError(reason: unknown): Error {
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
  const error = new Error(`The name was not found (${code})`, { cause: reason });
  return Object.assign(error, {
    code: code === 'ENOTFOUND' || code === 'ENODATA' ? 'ENOTFOUND' : 'EAI_AGAIN',
  });
}

/**
 * The system's lookup with search domains and everything else, for names that an operator wrote.
 */
export async function resolveTrustedName(hostname: string): Promise<LookupAddress[]> {
  return await lookup(hostname, { all: true });
}

/** Resolves names of the hosts file, so that a name of this machine is recognised and refused. */
async function findInHostsFile(hostname: string): Promise<LookupAddress[]> {
  if (hostname === 'localhost' || hostname.endsWith('.localhost'))
    return [{ address: '127.0.0.1', family: 4 }];
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isNamed = names.some((name) => name.toLowerCase().replace(/\.$/, '') === hostname);
    return isNamed && isIP(address) ? [{ address, family: isIP(address) }] : [];
  });
}
