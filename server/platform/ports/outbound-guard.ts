import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { InputError, SkillError } from '../../core/errors/skill-error';
import { withTimeout } from '../../kit/with-timeout';
import { type AllowedHost, getHost, getPort, normalizeHost } from '../settings/allowed-host';
import { isPublicAddress } from './outbound-address';
import { resolveTrustedName, resolveUntrustedName } from './resolve-name';

/**
 * Usual ports of web servers. Mail servers, databases and caches can be made to obey HTTP requests.
 */
const WEB_PORTS: readonly number[] = [80, 443, 8080, 8443];
const RESOLVE_LIMIT_MS = 10_000;
/** A name may have thousands of addresses; those beyond are neither checked nor used. */
const MAX_ADDRESSES = 32;

export interface GuardOptions {
  /** Hosts that may have private addresses. */
  readonly allow?: readonly AllowedHost[];
  /** This gateway's own address, which tools must not reach. */
  readonly own?: { readonly baseUrl: string; readonly port: number } | undefined;
  /** For tests: other web ports. */
  readonly webPorts?: readonly number[];
  /**
   * For tests: another resolver of a host's addresses; it rejects with a code if there are none.
   */
  readonly resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

const NOT_PUBLIC = 'The address is not on the public internet.';

/**
 * Decides where requests of tools may go. Everything sent for a caller passes it, the browser too.
 */
export class OutboundGuard {
  readonly #allow: readonly AllowedHost[];
  readonly #own: { hosts: readonly string[]; ports: readonly number[] };
  readonly #webPorts: readonly number[];
  readonly #resolve: ((hostname: string) => Promise<LookupAddress[]>) | undefined;

  constructor({ allow = [], own, webPorts = WEB_PORTS, resolve }: GuardOptions = {}) {
    this.#allow = allow;
    this.#webPorts = webPorts;
    this.#resolve = resolve;
    const base = own && new URL(own.baseUrl);
    this.#own = base
      ? { hosts: [getHost(base)], ports: [own.port, getPort(base)] }
      : { hosts: [], ports: [] };
  }

  /**
   * Checks a URL before its name is resolved.
   * @throws InputError with a message for the caller
   */
  checkUrl(url: URL): void {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new InputError('Only http and https addresses can be reached.');
    if (url.username || url.password)
      throw new InputError('The address must not contain a user name or a password.');
    this.#checkHost(getHost(url), getPort(url));
  }

  /**
   * Checks the URL of a webhook before it is stored: https, or a host that the operator allowed.
   * @throws InputError with a message for the caller
   */
  checkWebhookUrl(url: URL): void {
    this.checkUrl(url);
    if (url.protocol !== 'https:' && !this.#isAllowed(getHost(url), getPort(url)))
      throw new InputError('Webhooks are sent to https addresses only.');
  }

  /**
   * Resolves and checks a host. Connect to exactly these addresses, because a second DNS response
   * may differ.
   * @param hostname as in a URL
   * @returns at most 32 of them
   * @throws InputError if one of these is not public, or there are none
   */
  async resolve(hostname: string, port: number): Promise<LookupAddress[]> {
    const host = normalizeHost(hostname);
    this.#checkHost(host, port);
    const literal = host.replace(/^\[|\]$/g, '');
    const family = isIP(literal);
    const isAllowed = this.#isAllowed(host, port);
    const lookUp = this.#resolve ?? (isAllowed ? resolveTrustedName : resolveUntrustedName);
    const found =
      family === 0
        ? await withTimeout(lookUp(literal), RESOLVE_LIMIT_MS, () => {
            throw new SkillError(
              `The name ${host} could not be looked up within ${RESOLVE_LIMIT_MS / 1000} s.`,
            );
          })
        : [{ address: literal, family }];
    const addresses = found.slice(0, MAX_ADDRESSES);
    if (addresses.length === 0) throw unknownHostError(host);
    // Our own port is blocked even for hosts that are allowed to be private.
    const own = listOwnAddresses();
    const isOurs =
      port === this.#own.ports[0] && addresses.some(({ address }) => isThisMachine(address, own));
    const isOpen = isAllowed || addresses.every(({ address }) => isRemotePublic(address, own));
    if (isOurs || !isOpen) throw new InputError(NOT_PUBLIC);
    return addresses;
  }

  #checkHost(host: string, port: number): void {
    if (this.#own.hosts.includes(host) && this.#own.ports.includes(port)) throw new InputError(NOT_PUBLIC);
    if (this.#isAllowed(host, port)) return;
    const literal = host.replace(/^\[|\]$/g, '');
    if (isLocalName(host) || (isIP(literal) !== 0 && !isRemotePublic(literal)))
      throw new InputError(NOT_PUBLIC);
    if (!this.#webPorts.includes(port))
      throw new InputError(
        `Port ${port} is not a web port: only ${this.#webPorts.join(', ')} can be reached.`,
      );
  }

  #isAllowed(host: string, port: number): boolean {
    return this.#allow.some(
      (entry) =>
        entry.host === host && (entry.port === null ? this.#webPorts.includes(port) : entry.port === port),
    );
  }
}

/** The error for a name that does not resolve; it reveals nothing about the lookup. */
export function unknownHostError(host: string): InputError {
  return new InputError(`The host ${host} does not exist: its name does not resolve.`);
}

/** Names of this machine on every system (RFC 6761 section 6.3). */
function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Public and not this machine, which may have a public address itself. */
function isRemotePublic(address: string, own = listOwnAddresses()): boolean {
  return isPublicAddress(address) && !isThisMachine(address, own);
}

function isThisMachine(address: string, own: ReadonlySet<string>): boolean {
  return (
    address === '::1' ||
    address.startsWith('127.') ||
    address === '0.0.0.0' ||
    address === '::' ||
    own.has(address)
  );
}

/** Asked once for a name: the operating system takes 0.1 ms. */
function listOwnAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address) ?? []),
  );
}
