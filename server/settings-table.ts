import { z } from 'zod';
import { readAllowedHost } from './ports/outbound-guard';
import { PROVIDERS, type Provider, type Slot } from './tools/providers';

/** One setting: how it is read, what it is without a value, and what the README says about it. */
export interface SettingDefinition<S extends z.ZodType = z.ZodType> {
  schema: S;
  /** The text used where the environment gives none; null: there is no default value. */
  default: string | null;
  /** What the table of settings shows as the default where it is not a plain value. */
  defaultNote?: string;
  description: string;
  /** Its value is never printed, not even in an error. */
  secret: boolean;
}

const MAX_PORT = 65_535;
const VAULT_KEY_BYTES = 32;
const MIN_SECRET_CHARACTERS = 32;
const PPM_DECIMALS = 6;
const PERCENT_DECIMALS = 4;

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** `5.5` with 4 decimals is 55_000n: an exact shift of the decimal point, so no float ever holds money or a rate. */
function decimal(decimals: number, max: bigint, message: string) {
  return z
    .string()
    .regex(new RegExp(`^\\d{1,9}(\\.\\d{1,${decimals}})?$`), message)
    .transform((text) => {
      const [whole = '', fraction = ''] = text.split('.');
      return BigInt(whole + fraction.padEnd(decimals, '0'));
    })
    .refine((value) => value <= max, message);
}

const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((text) => text === '1' || text === 'true');

const secretText = z
  .string()
  .min(
    MIN_SECRET_CHARACTERS,
    `must have at least ${MIN_SECRET_CHARACTERS} characters; make one with: openssl rand -base64 32`,
  );

const plainText = z.string();

const email = z.email('must be an e-mail address, such as name@example.com');

function urlWith(protocols: string[], example: string) {
  return z.string().refine(
    (text) => {
      const url = parseUrl(text);
      return url !== null && protocols.includes(url.protocol) && url.hostname !== '';
    },
    `must be a ${protocols.map((name) => `${name}//`).join(' or ')} URL, such as ${example}`,
  );
}

// URL.parse came with Node 22; the floor is 20.
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const ORIGIN_MESSAGE = 'must be an http or https origin without a path, such as https://gateway.example.com';
const origin = z
  .string()
  .transform((text) => text.replace(/\/$/, ''))
  .refine((text) => {
    const url = parseUrl(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.toLowerCase();
  }, ORIGIN_MESSAGE);

const vaultKey = z
  .string()
  .refine(
    (text) => /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').byteLength === VAULT_KEY_BYTES,
    `must be ${VAULT_KEY_BYTES} bytes in base64; make one with: openssl rand -base64 ${VAULT_KEY_BYTES}`,
  );

/** A key of the vault under the id that is written beside what it has sealed. */
export interface VaultKeySetting {
  id: string;
  /** 32 bytes in base64. */
  key: string;
}

const OLD_KEYS_MESSAGE =
  'must be id:key pairs with commas between, each id once and each key 32 bytes in base64';
const vaultKeyId = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'must be 1 to 32 letters, digits, - or _');
const vaultKeysOld = z
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

const PERCENT_MESSAGE = `must be a percentage from 0 to 100 with at most ${PERCENT_DECIMALS} decimals, such as 5.5`;
const USD_MESSAGE = `must be an amount in US dollars with at most ${PPM_DECIMALS} decimals, such as 0.80`;
const ALLOW_MESSAGE = 'must be a list of host or host:port, such as wiki.internal,10.0.0.5:8080';
const SHARE_MESSAGE = `must be a share from 0 to 1 with at most ${PPM_DECIMALS} decimals, such as 0.05`;

function define<S extends z.ZodType>(
  schema: S,
  defaultText: string | null,
  description: string,
  more: { secret?: boolean; defaultNote?: string } = {},
): SettingDefinition<S> {
  return { schema, default: defaultText, description, secret: false, ...more };
}

type ProviderSettings = {
  [Name in Slot as `${Uppercase<Name>}_API_KEY`]: SettingDefinition<z.ZodString>;
} & { [Name in Slot as `${Uppercase<Name>}_BASE_URL`]: SettingDefinition<ReturnType<typeof urlWith>> };

/** Of each provider the platform's own key, and where its API is. */
function providerSettings(): ProviderSettings {
  const entries = Object.entries<Provider>(PROVIDERS).flatMap(
    ([slot, { displayName, baseUrl, keyPattern }]) => [
      [
        `${slot.toUpperCase()}_API_KEY`,
        define(
          z
            .string()
            .regex(keyPattern, `must be a key of ${displayName}: printable characters without white space`),
          null,
          `The platform's own key of ${displayName}. Without it, only callers with a key of theirs use it.`,
          { secret: true },
        ),
      ],
      [
        `${slot.toUpperCase()}_BASE_URL`,
        define(urlWith(['http:', 'https:'], baseUrl), baseUrl, `Where the API of ${displayName} is.`),
      ],
    ],
  );
  return Object.fromEntries(entries);
}

/** Every setting of the gateway: the one truth for reading, for errors and for the README. */
export const SETTINGS = {
  PORT: define(
    wholeNumber(0, MAX_PORT),
    '3000',
    'Port to listen on; 0 takes any free one. If unset and 3000 is busy, a local start takes the next free one.',
  ),
  HOST: define(
    z.string().regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address, such as 0.0.0.0'),
    '127.0.0.1',
    'Address to listen on. 0.0.0.0 opens the gateway to the network.',
  ),
  BASE_URL: define(
    origin,
    null,
    'Origin under which people and agents reach the gateway; links are built from it. Required in production.',
    { defaultNote: 'http://localhost:PORT' },
  ),
  DATA_DIR: define(plainText, '.data', 'Folder of the embedded database, generated secrets and local files.'),
  DATABASE_URL: define(
    urlWith(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/gateway'),
    null,
    'PostgreSQL 15 or newer to use. Without it an embedded PostgreSQL runs inside DATA_DIR.',
    { secret: true, defaultNote: 'embedded' },
  ),
  EMBEDDED_POSTGRES: define(
    flag,
    '0',
    'Set to 1 to run production on the embedded PostgreSQL; a local start needs no consent.',
  ),
  DATABASE_POOL_SIZE: define(
    wholeNumber(1, 1000),
    '10',
    'Connections to PostgreSQL that one process keeps for requests; listening and the queue take up to four more.',
  ),
  GATEWAY_ENV: define(
    z.enum(['local', 'production'], { error: 'must be local or production' }),
    null,
    'production refuses to start with anything missing. NODE_ENV=production means the same.',
    { defaultNote: 'local' },
  ),
  AUTH_SECRET: define(
    secretText,
    null,
    'Signs sign-in links, cookies and payment challenges. Required in production.',
    {
      secret: true,
      defaultNote: 'generated, kept in DATA_DIR',
    },
  ),
  VAULT_KEY: define(
    vaultKey,
    null,
    'Encrypts stored provider credentials: 32 bytes in base64. Required in production. Losing it loses them.',
    { secret: true, defaultNote: 'generated, kept in DATA_DIR' },
  ),
  VAULT_KEY_ID: define(
    vaultKeyId,
    'k1',
    'Name of VAULT_KEY, written beside each value; change it together with the key.',
  ),
  VAULT_KEYS_OLD: define(
    vaultKeysOld,
    null,
    'Earlier vault keys, as id:key,id:key: they open what they sealed until `npm run admin -- vault rotate` has sealed it anew.',
    { secret: true },
  ),
  CLAIM_SECRET: define(
    secretText,
    null,
    'Derives claim tokens of provisional keys. Required in production.',
    {
      secret: true,
      defaultNote: 'generated, kept in DATA_DIR',
    },
  ),
  SMTP_URL: define(
    urlWith(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com'),
    null,
    'Mail server for sign-in links. Without it a local start shows them in its log and on an inbox page.',
    { secret: true },
  ),
  MAIL_FROM: define(plainText, null, 'Sender of mail.', { defaultNote: 'Tool Gateway <OPERATOR_EMAIL>' }),
  GITHUB_CLIENT_ID: define(plainText, null, 'GitHub sign-in; needs GITHUB_CLIENT_SECRET too.'),
  GITHUB_CLIENT_SECRET: define(plainText, null, 'GitHub sign-in; needs GITHUB_CLIENT_ID too.', {
    secret: true,
  }),
  GOOGLE_CLIENT_ID: define(plainText, null, 'Google sign-in; needs GOOGLE_CLIENT_SECRET too.'),
  GOOGLE_CLIENT_SECRET: define(plainText, null, 'Google sign-in; needs GOOGLE_CLIENT_ID too.', {
    secret: true,
  }),
  OPERATOR_EMAIL: define(
    // Not zod's e-mail: the default has a host without a dot.
    z.union([z.literal('operator@localhost'), email], {
      error: 'must be an e-mail address, such as name@example.com',
    }),
    'operator@localhost',
    'Who runs this gateway: gets the sign-in link of the first start, and is named as contact.',
  ),
  PURCHASE_FEE_PERCENT: define(
    decimal(PERCENT_DECIMALS, 1_000_000n, PERCENT_MESSAGE),
    '5.5',
    'Fee on buying credit, in percent.',
  ),
  PURCHASE_FEE_MIN_USD: define(
    decimal(PPM_DECIMALS, 1_000_000_000n, USD_MESSAGE),
    '0.80',
    'Least fee on buying credit, in US dollars.',
  ),
  STRIPE_SECRET_KEY: define(
    z
      .string()
      .regex(/^(sk|rk)_(test|live)_[A-Za-z0-9_]+$/, 'must be a secret or restricted key, such as sk_test_…'),
    null,
    'Sells credit through Stripe. Without it a local start sells pretend credit through its own stand-in for Stripe.',
    { secret: true },
  ),
  STRIPE_WEBHOOK_SECRET: define(
    z.string().regex(/^whsec_\S+$/, 'must be the signing secret of the webhook endpoint: whsec_…'),
    null,
    "Signing secret of Stripe's webhook endpoint BASE_URL/api/stripe/webhook. Required with STRIPE_SECRET_KEY in production.",
    { secret: true },
  ),
  STRIPE_API_BASE: define(
    origin,
    null,
    'Where the Stripe API is, for tests against another one. Refused with a live key.',
    { defaultNote: 'https://api.stripe.com' },
  ),
  STRIPE_STANDIN: define(
    flag,
    null,
    'The stand-in for Stripe, which sells pretend credit. Never beside a key of Stripe.',
    { defaultNote: '1 in a local start without STRIPE_SECRET_KEY, else 0' },
  ),
  STRIPE_NETWORK_ID: define(
    z.string().regex(/^profile_[A-Za-z0-9_]+$/, 'must be the id of a Stripe profile: profile_…'),
    null,
    'Stripe profile to which agents grant shared payment tokens: turns on machine top-up by card.',
    { defaultNote: 'profile_standin with the stand-in' },
  ),
  MACHINE_PAYMENTS_SANDBOX: define(
    flag,
    '0',
    'Set to 1 to let machine top-ups be paid with a proof that costs nothing. For tests; refused with a live key.',
  ),
  RELOAD_RETRY_MINUTES: define(
    wholeNumber(0, 10_080),
    '60',
    'Minutes after a declined auto-reload before the card is tried again.',
  ),
  LOW_BALANCE_USD: define(
    decimal(PPM_DECIMALS, 1_000_000_000_000n, USD_MESSAGE),
    '1',
    'Balance in US dollars below which the owner of an account is told by mail; 0 tells nobody.',
  ),
  BYOK_RATE: define(
    decimal(PPM_DECIMALS, 1_000_000n, SHARE_MESSAGE),
    '0.05',
    "Share of the price that a call with the client's own provider key costs.",
  ),
  RATE_PER_MINUTE: define(wholeNumber(1, 1_000_000), '60', 'Calls per key and minute.'),
  RATE_PER_HOUR: define(wholeNumber(1, 10_000_000), '1000', 'Calls per key and hour.'),
  CONCURRENT_CALLS: define(wholeNumber(1, 10_000), '5', 'Calls of one key running at once.'),
  PROVISION_PER_HOUR: define(wholeNumber(1, 1_000_000), '5', 'Keys without sign-up per IP address and hour.'),
  PROVISION_PER_DAY: define(wholeNumber(1, 1_000_000), '20', 'Keys without sign-up per IP address and day.'),
  WAIT_SECONDS: define(
    z
      .string()
      .regex(/^\d{1,2}(\.\d{1,3})?$/, 'must be seconds from 0.05 to 30')
      .transform(Number)
      .refine((value) => value >= 0.05 && value <= 30, 'must be seconds from 0.05 to 30'),
    '30',
    'Seconds a request waits for its call before the call becomes a job, and a poll for its job.',
  ),
  JOBS: define(
    z.enum(['on', 'external', 'off'], { error: 'must be on, external or off' }),
    'on',
    'on: this process also runs queued calls. external: only `npm run worker` does. off: no call becomes a job.',
  ),
  JOB_CONCURRENCY: define(wholeNumber(1, 1000), '10', 'Queued calls that one process runs at once.'),
  HANDLER_TIMEOUT_SECONDS: define(wholeNumber(1, 86_400), '900', 'Longest a tool may run.'),
  IDEMPOTENCY_HOURS: define(
    wholeNumber(24, 8760),
    '24',
    'Hours for which the first answer to an Idempotency-Key is kept.',
  ),
  UPLOAD_LIMIT_MIB: define(wholeNumber(1, 10_240), '100', 'Largest file that can be uploaded, in MiB.'),
  ASSET_QUOTA_MIB: define(
    wholeNumber(1, 1_048_576),
    '5120',
    'What the files of one account may take together, in MiB. Without sign-up it is 20.',
  ),
  ASSET_RETENTION_DAYS: define(
    wholeNumber(1, 3650),
    '30',
    'Days for which uploaded files and files that tools made are kept.',
  ),
  PUBLIC_ASSETS_PER_MINUTE: define(
    wholeNumber(1, 1_000_000),
    '300',
    'Downloads of files per IP address and minute.',
  ),
  BLOB_READ_WRITE_TOKEN: define(
    z.string().regex(/^vercel_blob_rw_[A-Za-z0-9]+_[A-Za-z0-9]+$/, 'must be a token of a Vercel Blob store'),
    null,
    'Keeps files in a private Vercel Blob store. Without it they are in DATA_DIR.',
    { secret: true },
  ),
  BODY_LIMIT_BYTES: define(
    wholeNumber(1024, 1_073_741_824),
    '1048576',
    'Largest JSON body accepted, in bytes (1 MiB).',
  ),
  TRUSTED_PROXY_HOPS: define(
    wholeNumber(0, 10),
    '0',
    'Reverse proxies in front whose X-Forwarded-For entry is trusted; 0 ignores the header.',
  ),
  FFMPEG_PATH: define(
    plainText,
    null,
    'The ffmpeg that the tool `media` runs. Without one that tool is listed as not available.',
    { defaultNote: 'found on the PATH' },
  ),
  OUTBOUND_ALLOW: define(
    z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .refine((list) => list.every((entry) => readAllowedHost(entry) !== null), ALLOW_MESSAGE)
      .transform((list) => list.map(readAllowedHost).filter((host) => host !== null)),
    null,
    'Private hosts that tools may reach: host or host:port, separated by commas. Whoever calls tools reaches them.',
    { defaultNote: 'none' },
  ),
  CHROMIUM_PATH: define(
    plainText,
    null,
    'Chromium or Chrome for screenshots. Without it, one is looked for where systems put it.',
    { defaultNote: 'looked for' },
  ),
  LEASE_SECONDS: define(
    wholeNumber(2, 120),
    '90',
    'Seconds after which a running call without heartbeat counts as crashed and its hold is released.',
  ),
  JOB_RETENTION_DAYS: define(
    wholeNumber(1, 3650),
    '7',
    'Days after its end that a job is kept, with input, result and log.',
  ),
  USAGE_RETENTION_MONTHS: define(
    wholeNumber(1, 1200),
    '13',
    'Whole months, beside the current one, for which single calls stay in the history. Sums stay for good.',
  ),
  UNCLAIMED_RETENTION_DAYS: define(
    wholeNumber(1, 3650),
    '30',
    'Days without use after which a key without sign-up and without credit goes, with all that is its own.',
  ),
  ...providerSettings(),
} satisfies Record<string, SettingDefinition>;

export type SettingName = keyof typeof SETTINGS;
