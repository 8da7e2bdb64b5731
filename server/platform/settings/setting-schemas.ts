import { z } from 'zod';

/** How one setting is parsed, its default, and its documentation. */
export interface SettingDefinition<
  S extends z.ZodType = z.ZodType,
  Default extends string | null = string | null,
> {
  schema: S;
  /** Used if the environment does not set it; null if there is no default. */
  default: Default;
  /** Shown in the documentation instead of a default that is not a plain value. */
  defaultNote?: string;
  description: string;
  /** Whether the value must never be printed, even in an error. */
  secret: boolean;
}

export const MAX_PORT = 65_535;
const VAULT_KEY_BYTES = 32;
const MIN_SECRET_CHARACTERS = 32;
export const PPM_DECIMALS = 6;
export const PERCENT_DECIMALS = 4;

export function integer(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** More processes than this on one machine need more connections than PostgreSQL serves well. */
const MAX_WEB_PROCESSES = 64;
export const webConcurrency = integer(1, MAX_WEB_PROCESSES);

/**
 * Parses `5.5` with 4 decimals as 55_000n, by shifting the decimal point: money is never a float.
 */
export function decimal(decimals: number, max: bigint, message: string) {
  return z
    .string()
    .regex(new RegExp(`^\\d{1,9}(\\.\\d{1,${decimals}})?$`), message)
    .transform((text) => {
      const [whole = '', fraction = ''] = text.split('.');
      return BigInt(whole + fraction.padEnd(decimals, '0'));
    })
    .refine((value) => value <= max, message);
}

export const booleanFlag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((text) => text === '1' || text === 'true');

export const secretText = z
  .string()
  .min(
    MIN_SECRET_CHARACTERS,
    `must have at least ${MIN_SECRET_CHARACTERS} characters; create one with: openssl rand -base64 32`,
  );

export const plainText = z.string();

export const email = z.email('must be an email address, such as name@example.com');

/** Shown in headers of emails and in style sheets: without quotes, brackets and line breaks. */
export const brandName = z
  .string()
  .regex(/^[^\p{C}\p{Zl}\p{Zp}<>"\\]{1,40}$/u, 'must have 1 to 40 characters, without quotes, < > and \\');

export const hexColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be a colour as #rrggbb, such as #1f51d6')
  .transform((text) => text.toLowerCase());

/** Email addresses separated by commas, in lower case. */
export const emails = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim().toLowerCase())
      .filter(Boolean),
  )
  .pipe(
    z.array(z.union([z.literal('operator@localhost'), email])).min(1, 'must name at least one email address'),
  );

/** A contact as in RFC 9116: a URI. */
export const securityContact = z
  .string()
  .transform((text) => (email.safeParse(text).success ? `mailto:${text}` : text))
  .refine((text) => {
    const url = parseUrl(text);
    return url !== null && (url.protocol === 'https:' || text.startsWith('mailto:'));
  }, 'must be an email address or an https URL, such as security@example.com');

export function urlSchema(protocols: string[], example: string) {
  return z.string().refine(
    (text) => {
      const url = parseUrl(text);
      return url !== null && protocols.includes(url.protocol) && url.hostname !== '';
    },
    `must be a ${protocols.map((name) => `${name}//`).join(' or ')} URL, such as ${example}`,
  );
}

// URL.parse needs Node 22, but Node 20 is supported.
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const ORIGIN_MESSAGE = 'must be an http or https origin without a path, such as https://gateway.example.com';
export const origin = z
  .string()
  .transform((text) => text.replace(/\/$/, ''))
  .refine((text) => {
    const url = parseUrl(text);
    return url !== null && /^https?:$/.test(url.protocol) && isOrigin(url);
  }, ORIGIN_MESSAGE)
  .transform((text) => new URL(text).origin);

function isOrigin({ pathname, search, hash, username, password, href }: URL): boolean {
  return pathname === '/' && `${search}${hash}${username}${password}` === '' && !/[?#]/.test(href);
}

export const vaultKey = z
  .string()
  .refine(
    (text) => /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').byteLength === VAULT_KEY_BYTES,
    `must be ${VAULT_KEY_BYTES} bytes in base64; create one with: openssl rand -base64 ${VAULT_KEY_BYTES}`,
  );

/** A vault key with its id, which is stored in every value that it seals. */
export interface VaultKeySetting {
  id: string;
  /** 32 bytes in base64. */
  key: string;
}

const OLD_KEYS_MESSAGE =
  'must be id:key pairs separated by commas, with unique ids and keys of 32 bytes in base64';
export const vaultKeyId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 letters, digits, - or _');
export const vaultKeysOld = z
  .string()
  .transform((text) =>
    text.split(',').map((pair): VaultKeySetting => {
      const [id = '', key = ''] = pair.trim().split(':');
      return { id, key };
    }),
  )
  .refine(
    (keys) =>
      keys.every(({ id, key }) => vaultKeyId.safeParse(id).success && vaultKey.safeParse(key).success) &&
      new Set(keys.map(({ id }) => id)).size === keys.length,
    OLD_KEYS_MESSAGE,
  );

export const PERCENT_MESSAGE = `must be a percentage from 0 to 100 with at most ${PERCENT_DECIMALS} decimals, such as 5.5`;
export const USD_MESSAGE = `must be an amount in US dollars with at most ${PPM_DECIMALS} decimals, such as 0.80`;
export const ALLOW_MESSAGE = 'must be a list of host or host:port, such as wiki.internal,10.0.0.5:8080';
export const SHARE_MESSAGE = `must be a number from 0 to 1 with at most ${PPM_DECIMALS} decimals, such as 0.05`;

export function define<S extends z.ZodType, Default extends string | null>(
  schema: S,
  defaultText: Default,
  description: string,
  more: { secret?: boolean; defaultNote?: string } = {},
): SettingDefinition<S, Default> {
  return { schema, default: defaultText, description, secret: false, ...more };
}
