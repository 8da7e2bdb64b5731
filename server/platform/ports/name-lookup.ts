import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

const TIMEOUT_MS = 2_000;
const TRIES = 2;
const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';

/**
 * All addresses of a name that a stranger chose. Not by the system's lookup: that holds one of the process's four threads for
 * as long as a name server likes, and files, hashes and compression wait for those threads.
 * @param servers for tests: other name servers than the system's, and a shorter wait for each try
 */
export async function lookUpForeignName(
  hostname: string,
  servers?: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<LookupAddress[]> {
  const own = await namedInHosts(hostname);
  if (own.length > 0) return own;
  // A new one each time: it reads the system's configuration when it is made.
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && four.status === 'rejected') throw asSystemError(four.reason);
  return found;
}

/** Told as the system's lookup does: not there, or not known now. A name server that refuses is not a host that does. */
function asSystemError(reason: unknown): Error {
  const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
  const error = new Error(`The name was not found (${code})`, { cause: reason });
  return Object.assign(error, {
    code: code === 'ENOTFOUND' || code === 'ENODATA' ? 'ENOTFOUND' : 'EAI_AGAIN',
  });
}

/** As the system does it, with search domains and whatever else is set up: for names that an operator wrote. */
export async function lookUpTrustedName(hostname: string): Promise<LookupAddress[]> {
  return await lookup(hostname, { all: true });
}

/** A name of this machine is known as one, so that it is refused as such. */
async function namedInHosts(hostname: string): Promise<LookupAddress[]> {
  if (hostname === 'localhost' || hostname.endsWith('.localhost'))
    return [{ address: '127.0.0.1', family: 4 }];
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isNamed = names.some((name) => name.toLowerCase().replace(/\.$/, '') === hostname);
    return isNamed && isIP(address) ? [{ address, family: isIP(address) }] : [];
  });
}
