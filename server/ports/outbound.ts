import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';

/** Where a tool's request may not go: this machine, private networks, the cloud's metadata, multicast (threats C8). */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4');

/** Only global unicast, less what embeds an IPv4 address or is for documentation. */
const GLOBAL_V6 = new BlockList();
GLOBAL_V6.addSubnet('2000::', 3, 'ipv6');
const SPECIAL_V6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  SPECIAL_V6.addSubnet(network, bits, 'ipv6');

/** Whether an address, as text, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !PRIVATE.check(address, 'ipv4');
  return family === 6 && GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

/** The address that is checked is the one connected to, so that a second DNS answer changes nothing (threats C10). */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 4);
    const [first] = addresses;
    if (!first || addresses.some(({ address }) => !isPublicAddress(address)))
      return callback(new Error('The host is not on the public internet'), '', 4);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

/** fetch for tools: public http(s) hosts only, each redirect checked again where it connects. */
export function createOutboundFetch(): typeof globalThis.fetch {
  const connect = buildConnector({ lookup: lookupPublic, timeout: 10_000 } as Parameters<
    typeof buildConnector
  >[0]);
  const dispatcher = new Agent({
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) && !isPublicAddress(host))
        callback(new Error('The host is not on the public internet'), null);
      else connect(options, callback);
    },
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  });
  return ((input: string | URL, init?: object) =>
    undiciFetch(input, { ...init, dispatcher })) as unknown as typeof globalThis.fetch;
}
