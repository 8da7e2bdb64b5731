import { z } from 'zod';
import { readAllowedHost } from './allowed-host';
import { OPERATION_SETTINGS } from './operation-settings';
import { providerSettings } from './provider-settings';
import {
  ALLOW_MESSAGE,
  decimal,
  define,
  email,
  emails,
  flag,
  MAX_PORT,
  origin,
  PERCENT_DECIMALS,
  PERCENT_MESSAGE,
  PPM_DECIMALS,
  plainText,
  type SettingDefinition,
  SHARE_MESSAGE,
  secretText,
  securityContact,
  USD_MESSAGE,
  urlWith,
  vaultKey,
  vaultKeyId,
  vaultKeysOld,
  wholeNumber,
} from './setting-schemas';

/** As far as nice(1) counts. */
const MAX_NICENESS = 19;

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
  ASSETS_DIR: define(
    plainText,
    null,
    "Folder of people's files, where they are not in a Vercel Blob store. Processes of one gateway share it.",
    { defaultNote: 'DATA_DIR/blobs' },
  ),
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
    'Earlier vault keys, as id:key,id:key: they open what they sealed until `npm run admin -- vault rotate` has resealed it.',
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
  CRON_SECRET: define(
    secretText,
    null,
    'Lets a scheduler that sends it as a bearer token run the timed work at /api/cron. Without it there is no such route.',
    { secret: true },
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
  SECURITY_CONTACT: define(
    securityContact,
    null,
    'Where to report a vulnerability: an email address or an https address. Published at /.well-known/security.txt.',
  ),
  OPERATORS: define(
    emails,
    null,
    "Whose verified sign-in opens the operator's pages (/operator): e-mail addresses, separated by commas.",
    { defaultNote: 'OPERATOR_EMAIL' },
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
  PROVISION_TOTAL_PER_HOUR: define(
    wholeNumber(1, 1_000_000),
    '1000',
    'Keys without sign-up per hour, over all IP addresses.',
  ),
  EMAILS_PER_ADDRESS: define(
    wholeNumber(1, 1_000_000),
    '5',
    'Sign-in emails, and invitations, that one address gets per hour.',
  ),
  EMAILS_PER_NETWORK: define(
    wholeNumber(1, 1_000_000),
    '30',
    'Sign-in emails, and invitations, that one network (IPv4 /24, IPv6 /64) causes per hour.',
  ),
  EMAILS_TOTAL: define(
    wholeNumber(1, 1_000_000),
    '1000',
    'Sign-in emails, and invitations, per hour in all.',
  ),
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
  IMPORT_CHECK_MINUTES: define(
    wholeNumber(0, 10_080),
    '15',
    'Minutes after which it is looked again whether an imported tool is still what was approved; 0 never looks by itself.',
  ),
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
    'Keeps files in a private Vercel Blob store. Without it they are in ASSETS_DIR.',
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
  MCP_ALLOWED_ORIGINS: define(
    z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .pipe(z.array(origin)),
    null,
    'Origins of web pages, beside our own, whose scripts may use /mcp, separated by commas. They need a key all the same.',
    { defaultNote: 'none' },
  ),
  FFMPEG_PATH: define(
    plainText,
    null,
    'The ffmpeg that the tool `media` runs. Without one that tool is listed as not available.',
    { defaultNote: 'found on the PATH' },
  ),
  WORKER_NICENESS: define(
    wholeNumber(0, MAX_NICENESS),
    '15',
    'Niceness of processes that compute for callers, from 0 (the priority of the gateway) to 19. Lower it where other programs keep the machine busy, or calls wait for a processor.',
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
  UNCONFINED_SQL: define(
    flag,
    '0',
    "Set to 1 to run callers' SQL (data.query) also where the system cannot confine the worker: a hole in DuckDB is then one in the gateway.",
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
  ...OPERATION_SETTINGS,
  ...providerSettings(),
} satisfies Record<string, SettingDefinition>;

export type SettingName = keyof typeof SETTINGS;
