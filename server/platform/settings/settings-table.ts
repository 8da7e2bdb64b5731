import { z } from 'zod';
import { mapWindows } from '../../core/limits/limits';
import { ACCESS_SETTINGS } from './access-settings';
import { parseAllowedHost } from './allowed-host';
import { BRAND_SETTINGS } from './brand-settings';
import { OPERATION_SETTINGS } from './operation-settings';
import { PROVIDER_SETTINGS } from './provider-settings';
import { SELLER_SETTINGS } from './seller-settings';
import {
  ALLOW_MESSAGE,
  booleanFlag,
  decimal,
  define,
  email,
  emails,
  integer,
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
  urlSchema,
  vaultKey,
  vaultKeyId,
  vaultKeysOld,
  webConcurrency,
} from './setting-schemas';
import { SIGN_IN_SETTINGS } from './sign-in-settings';
import { STRIPE_SETTINGS } from './stripe-settings';
import { X402_SETTINGS } from './x402-settings';

/** The highest value of nice(1). */
const MAX_NICENESS = 19;

/** Every setting of the gateway: the only source for parsing, errors and the documentation. */
export const SETTINGS = {
  PORT: define(
    integer(0, MAX_PORT),
    '3000',
    'Port to listen on; 0 picks any free one. If unset and 3000 is busy, a local start picks the next free one.',
  ),
  HOST: define(
    z.string().regex(/^[A-Za-z0-9.:_-]+$/, 'must be a host name or an IP address, such as 0.0.0.0'),
    '127.0.0.1',
    'Address to listen on. 0.0.0.0 exposes the gateway to the network.',
  ),
  BASE_URL: define(
    origin,
    null,
    'Public origin of the gateway; links are built from it. Required in production.',
    { defaultNote: 'http://localhost:PORT' },
  ),
  DATA_DIR: define(plainText, '.data', 'Folder of the embedded database, generated secrets and local files.'),
  ASSETS_DIR: define(
    plainText,
    null,
    "Folder of users' files, unless they are in a Vercel Blob store. All processes of a gateway share it.",
    { defaultNote: 'DATA_DIR/blobs' },
  ),
  DATABASE_URL: define(
    urlSchema(['postgres:', 'postgresql:'], 'postgres://user:password@host:5432/gateway'),
    null,
    'URL of a PostgreSQL 15 or newer. Without it, an embedded PostgreSQL runs in DATA_DIR.',
    { secret: true, defaultNote: 'embedded' },
  ),
  EMBEDDED_POSTGRES: define(
    booleanFlag,
    '0',
    'Set to 1 to allow the embedded PostgreSQL in production. A local start does not need it.',
  ),
  BACKUP_BEFORE_UPDATE: define(
    booleanFlag,
    '1',
    'Backs up the embedded database to DATA_DIR/backups before a new version migrates it. 0 turns it off.',
  ),
  DATABASE_POOL_SIZE: define(
    integer(1, 1000),
    '10',
    'PostgreSQL connections of one web process or worker for requests; listening and the queue use up to five more.',
  ),
  WEB_CONCURRENCY: define(
    webConcurrency,
    '1',
    'Web processes behind one port; `--processes N` overrides it. One process uses one core.',
  ),
  GATEWAY_ENV: define(
    z.enum(['local', 'production'], { error: 'must be local or production' }),
    null,
    'production refuses to start if a required setting is missing. NODE_ENV=production means the same.',
    { defaultNote: 'local' },
  ),
  AUTH_SECRET: define(
    secretText,
    null,
    'Signs sign-in links, cookies and payment challenges. Required in production.',
    {
      secret: true,
      defaultNote: 'generated, stored in DATA_DIR',
    },
  ),
  VAULT_KEY: define(
    vaultKey,
    null,
    'Encrypts stored provider keys: 32 bytes in base64. Required in production. If you lose it, you lose them.',
    { secret: true, defaultNote: 'generated, stored in DATA_DIR' },
  ),
  VAULT_KEY_ID: define(
    vaultKeyId,
    'k1',
    'Id of VAULT_KEY, stored in each value; change it whenever you change the key.',
  ),
  VAULT_KEYS_OLD: define(
    vaultKeysOld,
    null,
    'Previous vault keys, as id:key,id:key. They are needed until `npm run admin -- vault rotate` has resealed all values.',
    { secret: true },
  ),
  CLAIM_SECRET: define(
    secretText,
    null,
    'Derives claim tokens of provisional keys. Required in production.',
    {
      secret: true,
      defaultNote: 'generated, stored in DATA_DIR',
    },
  ),
  CRON_SECRET: define(
    secretText,
    null,
    'Bearer token with which a scheduler starts the scheduled jobs at /api/cron. Without it, that route does not exist.',
    { secret: true },
  ),
  SMTP_URL: define(
    urlSchema(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com'),
    null,
    'Mail server for emails such as sign-in links. Without it, a local start shows them in its log and on an inbox page.',
    { secret: true },
  ),
  MAIL_FROM: define(plainText, null, 'Sender of emails.', { defaultNote: 'BRAND_NAME <OPERATOR_EMAIL>' }),
  ...BRAND_SETTINGS,
  ...SIGN_IN_SETTINGS,
  OPERATOR_EMAIL: define(
    // Not zod's email alone: the default has a host without a dot.
    z.union([z.literal('operator@localhost'), email], {
      error: 'must be an email address, such as name@example.com',
    }),
    'operator@localhost',
    'Email address of the operator, who gets the sign-in link of the first start and is named as the contact.',
  ),
  SECURITY_CONTACT: define(
    securityContact,
    null,
    'Where to report a vulnerability: an email address or an https URL. Published at /.well-known/security.txt.',
  ),
  OPERATORS: define(
    emails,
    null,
    'Email addresses that may open the operator pages (/operator) once verified by sign-in, separated by commas.',
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
    'Minimum fee on buying credit, in US dollars.',
  ),
  ...SELLER_SETTINGS,
  ...STRIPE_SETTINGS,
  MACHINE_PAYMENTS_SANDBOX: define(
    booleanFlag,
    '0',
    'Set to 1 to accept a free proof as payment of machine top-ups. For tests; refused with a live key.',
  ),
  PAY_PER_CALL: define(
    booleanFlag,
    '0',
    'Set to 1 to let agents pay for single calls without a key: such calls answer 402 with a payment challenge.',
  ),
  ...X402_SETTINGS,
  RELOAD_RETRY_MINUTES: define(
    integer(0, 10_080),
    '60',
    'Minutes after a declined auto-recharge before the card is retried.',
  ),
  LOW_BALANCE_USD: define(
    decimal(PPM_DECIMALS, 1_000_000_000_000n, USD_MESSAGE),
    '1',
    "Balance in US dollars below which an account's owner gets an email; 0 turns these emails off.",
  ),
  BYOK_RATE: define(
    decimal(PPM_DECIMALS, 1_000_000n, SHARE_MESSAGE),
    '0.05',
    "Fraction of the price that a BYOK call costs (made with the client's own provider key).",
  ),
  ...mapWindows(
    ({ name, quota, max }) => define(integer(1, max), String(quota), `Calls per API key per ${name}.`),
    ({ setting }) => setting,
  ),
  CONCURRENT_CALLS: define(integer(1, 10_000), '5', 'Concurrent calls per API key.'),
  PROVISION_PER_HOUR: define(integer(1, 1_000_000), '5', 'Keys without sign-up per IP address per hour.'),
  PROVISION_PER_DAY: define(integer(1, 1_000_000), '20', 'Keys without sign-up per IP address per day.'),
  PROVISION_TOTAL_PER_HOUR: define(
    integer(1, 1_000_000),
    '1000',
    'Keys without sign-up per hour, across all IP addresses.',
  ),
  EMAILS_PER_ADDRESS: define(
    integer(1, 1_000_000),
    '5',
    'Sign-in emails to one address per hour; the same number of invitations.',
  ),
  EMAILS_PER_NETWORK: define(
    integer(1, 1_000_000),
    '30',
    'Sign-in emails that one network (IPv4 /24, IPv6 /64) triggers per hour; the same number of invitations.',
  ),
  EMAILS_TOTAL: define(
    integer(1, 1_000_000),
    '1000',
    'Sign-in emails per hour in total, and as many to people who have an account; the same number of invitations.',
  ),
  WAIT_SECONDS: define(
    z
      .string()
      .regex(/^\d{1,2}(\.\d{1,3})?$/, 'must be seconds from 0.05 to 30')
      .transform(Number)
      .refine((value) => value >= 0.05 && value <= 30, 'must be seconds from 0.05 to 30'),
    '30',
    'Seconds that a request waits for its call before the call becomes a job, and that a poll waits for its job.',
  ),
  JOBS: define(
    z.enum(['on', 'external', 'off'], { error: 'must be on, external or off' }),
    'on',
    'on: this process also runs queued calls. external: only `npm run worker` does. off: no call becomes a job.',
  ),
  JOB_CONCURRENCY: define(integer(1, 1000), '10', 'Queued calls that one process runs concurrently.'),
  HANDLER_TIMEOUT_SECONDS: define(integer(1, 86_400), '900', 'Maximum seconds that a tool may run.'),
  IMPORT_CHECK_MINUTES: define(
    integer(0, 10_080),
    '15',
    'Minutes between checks that an imported tool still matches what was approved; 0 disables these checks.',
  ),
  IDEMPOTENCY_HOURS: define(
    integer(24, 8760),
    '24',
    'Hours for which the response to an Idempotency-Key is stored.',
  ),
  UPLOAD_LIMIT_MIB: define(integer(1, 10_240), '100', 'Largest file that can be uploaded, in MiB.'),
  ASSET_QUOTA_MIB: define(
    integer(1, 1_048_576),
    '5120',
    'Storage quota of one account, in MiB. Accounts without sign-up have 20.',
  ),
  ASSET_RETENTION_DAYS: define(
    integer(1, 3650),
    '30',
    'Days for which files that were uploaded or created by tools are stored.',
  ),
  PUBLIC_ASSETS_PER_MINUTE: define(integer(1, 1_000_000), '300', 'File downloads per IP address per minute.'),
  BLOB_READ_WRITE_TOKEN: define(
    z.string().regex(/^vercel_blob_rw_[A-Za-z0-9]+_[A-Za-z0-9]+$/, 'must be a token of a Vercel Blob store'),
    null,
    'Stores files in a private Vercel Blob store. Without it, they are in ASSETS_DIR.',
    { secret: true },
  ),
  BODY_LIMIT_BYTES: define(
    integer(1024, 1_073_741_824),
    '1048576',
    'Largest accepted JSON body, in bytes (default 1 MiB).',
  ),
  TRUSTED_PROXY_HOPS: define(
    integer(0, 10),
    '0',
    'Number of reverse proxies in front that are trusted to set X-Forwarded-For; 0 ignores the header.',
  ),
  MCP_ALLOWED_ORIGINS: define(
    z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .pipe(z.array(origin)),
    null,
    'Origins of other websites with scripts that may use /mcp, separated by commas. They still need an API key.',
    { defaultNote: 'none' },
  ),
  FFMPEG_PATH: define(
    plainText,
    null,
    'Path of the ffmpeg that the tool `media` runs. Without ffmpeg, that tool is listed as unavailable.',
    { defaultNote: 'found on the PATH' },
  ),
  WORKER_NICENESS: define(
    integer(0, MAX_NICENESS),
    '15',
    "Niceness of processes that compute for callers, from 0 (the gateway's priority) to 19. Lower it if other programs keep the machine busy and calls wait for a processor.",
  ),
  OUTBOUND_ALLOW: define(
    z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .refine((list) => list.every((entry) => parseAllowedHost(entry) !== null), ALLOW_MESSAGE)
      .transform((list) => list.map(parseAllowedHost).filter((host) => host !== null)),
    null,
    'Private hosts that tools may reach: host or host:port, separated by commas. A host without a port stands for its ports 80, 443, 8080 and 8443. All callers of tools can then reach them.',
    { defaultNote: 'none' },
  ),
  CHROMIUM_PATH: define(
    plainText,
    null,
    'Path of Chromium or Chrome for screenshots. Without it, the usual locations are searched, then one is fetched from the npm registry (Linux x64).',
    { defaultNote: 'found automatically' },
  ),
  UNCONFINED_SQL: define(
    booleanFlag,
    '0',
    "Set to 1 to run callers' SQL (data.query) even if the system cannot confine the worker: a vulnerability in DuckDB then affects the gateway.",
  ),
  LEASE_SECONDS: define(
    integer(2, 120),
    '90',
    'Seconds without a heartbeat after which a running call counts as crashed and its hold is released.',
  ),
  JOB_RETENTION_DAYS: define(
    integer(1, 3650),
    '7',
    'Days for which a finished job is stored, with its input, result and log.',
  ),
  USAGE_RETENTION_MONTHS: define(
    integer(1, 1200),
    '13',
    'Complete months, in addition to the current one, for which single calls stay in the history. Totals are stored for ever.',
  ),
  CALL_CONTENT_MAX_DAYS: define(
    integer(0, 30),
    '30',
    'The most days for which an account that opts in may store the inputs, outputs and logs of its calls, encrypted; 0 switches it off.',
  ),
  UNCLAIMED_RETENTION_DAYS: define(
    integer(1, 3650),
    '30',
    'Days without use after which a key without sign-up and without credit is deleted, with all its data.',
  ),
  ...ACCESS_SETTINGS,
  ...OPERATION_SETTINGS,
  ...PROVIDER_SETTINGS,
} satisfies Record<string, SettingDefinition>;

/** Those that a field such as `brand` is built from. */
export const GROUPED = {
  ...BRAND_SETTINGS,
  ...SIGN_IN_SETTINGS,
  ...SELLER_SETTINGS,
  ...STRIPE_SETTINGS,
  ...X402_SETTINGS,
  ...ACCESS_SETTINGS,
  ...OPERATION_SETTINGS,
  ...PROVIDER_SETTINGS,
};

export type SettingName = keyof typeof SETTINGS;
