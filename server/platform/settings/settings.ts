import type { z } from 'zod';
import { type AccessSettings, buildAccessSettings } from './access-settings';
import type { AllowedHost } from './allowed-host';
import { type BrandSettings, buildBrandSettings } from './brand-settings';
import { checkProduction, checkSecrets } from './check-settings';
import { buildOperationSettings, type OperationSettings } from './operation-settings';
import { PROVIDER_NAMES, type ProviderName } from './providers';
import { readSeller } from './seller-settings';
import type { SettingDefinition, VaultKeySetting } from './setting-schemas';
import { SETTINGS, type SettingName } from './settings-table';
import { buildStripeSettings, type StripeSettings } from './stripe-settings';
import { buildX402Settings, type X402Settings } from './x402-settings';

interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

interface ProviderSettings {
  apiKey: string | null;
  baseUrl: string;
}

/** The parsed and checked settings. Money is in micro-dollars and rates in parts per million. */
export interface Settings {
  port: number;
  host: string;
  baseUrl: string;
  dataDir: string;
  /** Where files are stored, if not in the data folder. */
  assetsDir: string | null;
  /** Null until boot has started the embedded PostgreSQL. */
  databaseUrl: string | null;
  databasePoolSize: number;
  backupBeforeUpdate: boolean;
  /** Web processes behind one port. */
  webConcurrency: number;
  production: boolean;
  /** The three secrets are null only until boot has generated them, and during `next build`. */
  authSecret: string | null;
  /** 32 bytes in base64. */
  vaultKey: string | null;
  vaultKeyId: string;
  /** Old keys, which only open values; 32 bytes in base64 each. */
  vaultOldKeys: readonly VaultKeySetting[];
  claimSecret: string | null;
  /** Null if no scheduler may start the scheduled jobs. */
  cronSecret: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  brand: BrandSettings;
  github: OAuthClient | null;
  google: OAuthClient | null;
  operatorEmail: string;
  /** A `mailto:` or `https:` URI. */
  securityContact: string | null;
  /** In lower case: the emails that may open the operator pages after a verified sign-in. */
  operators: readonly string[];
  purchaseFeePpm: bigint;
  purchaseFeeMinMicrousd: bigint;
  /** Named on invoices; those of real payments need name and address. */
  seller: { name: string | null; address: string | null; vatId: string | null };
  stripe: StripeSettings | null;
  machinePaymentsSandbox: boolean;
  /** Calls without a key can be paid for one by one. */
  payPerCall: boolean;
  x402: X402Settings | null;
  reloadRetryMinutes: number;
  lowBalanceMicrousd: bigint;
  byokRatePpm: bigint;
  /** The platform's API key, if any, and the API's base URL for each provider. */
  providers: Readonly<Record<ProviderName, ProviderSettings>>;
  ratePerMinute: number;
  ratePerHour: number;
  concurrentCalls: number;
  provisionPerHour: number;
  provisionPerDay: number;
  provisionTotalPerHour: number;
  /** Per hour, as are the next two. */
  emailsPerAddress: number;
  emailsPerNetwork: number;
  emailsTotal: number;
  waitSeconds: number;
  jobs: 'on' | 'external' | 'off';
  jobConcurrency: number;
  handlerTimeoutSeconds: number;
  /** 0 disables the checks. */
  importCheckMinutes: number;
  idempotencyHours: number;
  uploadLimitMib: number;
  assetQuotaMib: number;
  assetRetentionDays: number;
  publicAssetsPerMinute: number;
  /** Null if files are stored on disk. */
  blobToken: string | null;
  bodyLimitBytes: number;
  trustedProxyHops: number;
  /** Origins of other websites with scripts that may use /mcp. */
  mcpAllowedOrigins: readonly string[];
  /** Null if tools search the PATH for it. */
  ffmpegPath: string | null;
  /** For processes that compute for callers, as nice(1) counts. */
  workerNiceness: number;
  /** Private hosts that tools may reach. */
  outboundAllow: readonly AllowedHost[];
  chromiumPath: string | null;
  /** Whether callers' SQL runs even if the system does not confine workers. */
  unconfinedSql: boolean;
  leaseSeconds: number;
  jobRetentionDays: number;
  usageRetentionMonths: number;
  /** The most days that an account may store contents of calls; 0: none may. */
  callContentMaxDays: number;
  unclaimedRetentionDays: number;
  /** Who gets in, and as what. */
  access: AccessSettings;
  /** Logs, metrics, traces, and shutdown. */
  operation: OperationSettings;
}

/** Settings after boot: everything the running gateway needs is set. */
export interface BootedSettings extends Settings {
  databaseUrl: string;
  authSecret: string;
  vaultKey: string;
  claimSecret: string;
}

/** One invalid setting and what to do about it. */
export interface SettingProblem {
  name: string;
  problem: string;
}

/** All problems of the settings, in one message that a person can act on. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly SettingProblem[]) {
    const lines = problems.map(({ name, problem }) => `  ${name} ${problem}`);
    super(`The settings are invalid:\n${lines.join('\n')}\nEach is described in .env.example.`);
    this.name = 'SettingsError';
  }
}

/** The documentation of the settings: the source of docs/settings.md and .env.example. */
export const settingsTable = Object.entries(SETTINGS as Record<string, SettingDefinition>).map(
  ([name, { default: value, defaultNote, description, secret }]) => ({
    name,
    default: value ?? defaultNote ?? '',
    description,
    secret,
  }),
);

/** The parsed settings before they are checked together. */
export type RawSettings = { [K in SettingName]: z.output<(typeof SETTINGS)[K]['schema']> | null };

type PresentSettings = { [K in SettingName]: NonNullable<RawSettings[K]> };

function parseEach(env: NodeJS.ProcessEnv, problems: SettingProblem[]): RawSettings {
  const raw: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(SETTINGS as Record<string, SettingDefinition>)) {
    const given = env[name]?.trim() || definition.default;
    if (given === null) {
      raw[name] = null;
      continue;
    }
    const parsed = definition.schema.safeParse(given);
    raw[name] = parsed.success ? parsed.data : null;
    if (!parsed.success) {
      const shown = definition.secret ? '' : ` (it is ${JSON.stringify(given)})`;
      problems.push({ name, problem: `${parsed.error.issues[0]?.message}${shown}` });
    }
  }
  return raw as RawSettings;
}

function buildOAuthClient(
  raw: RawSettings,
  name: 'GITHUB' | 'GOOGLE',
  problems: SettingProblem[],
): OAuthClient | null {
  const clientId = raw[`${name}_CLIENT_ID`];
  const clientSecret = raw[`${name}_CLIENT_SECRET`];
  if (clientId && clientSecret) return { clientId, clientSecret };
  if (clientId) problems.push(createMissingProblem(`${name}_CLIENT_SECRET`, `${name}_CLIENT_ID`));
  if (clientSecret) problems.push(createMissingProblem(`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`));
  return null;
}

function createMissingProblem(missing: string, present: string): SettingProblem {
  return { name: missing, problem: `is missing: ${present} is set, and both are required together` };
}

function providerSettings(present: RawSettings): Record<ProviderName, ProviderSettings> {
  const entries = PROVIDER_NAMES.map((slot) => {
    const name = slot.toUpperCase() as Uppercase<ProviderName>;
    return [slot, { apiKey: present[`${name}_API_KEY`], baseUrl: present[`${name}_BASE_URL`] }];
  });
  return Object.fromEntries(entries);
}

type CallerLimits = Pick<
  Settings,
  | 'ratePerMinute'
  | 'ratePerHour'
  | 'concurrentCalls'
  | 'provisionPerHour'
  | 'provisionPerDay'
  | 'provisionTotalPerHour'
  | 'emailsPerAddress'
  | 'emailsPerNetwork'
  | 'emailsTotal'
>;

/** The limits of calls, of new accounts and of emails. */
function buildCallerLimits(present: PresentSettings): CallerLimits {
  return {
    ratePerMinute: present.RATE_PER_MINUTE,
    ratePerHour: present.RATE_PER_HOUR,
    concurrentCalls: present.CONCURRENT_CALLS,
    provisionPerHour: present.PROVISION_PER_HOUR,
    provisionPerDay: present.PROVISION_PER_DAY,
    provisionTotalPerHour: present.PROVISION_TOTAL_PER_HOUR,
    emailsPerAddress: present.EMAILS_PER_ADDRESS,
    emailsPerNetwork: present.EMAILS_PER_NETWORK,
    emailsTotal: present.EMAILS_TOTAL,
  };
}

/**
 * Whether missing settings are refused. If GATEWAY_ENV is set it decides alone: boot stores the
 * operator's choice there, because Next sets NODE_ENV=production even for a local start.
 */
export function isProduction(env: NodeJS.ProcessEnv): boolean {
  const declared = env.GATEWAY_ENV?.trim();
  return declared ? declared === 'production' : env.NODE_ENV === 'production';
}

function buildOAuthClients(
  raw: RawSettings,
  problems: SettingProblem[],
): Pick<Settings, 'github' | 'google'> {
  return {
    github: buildOAuthClient(raw, 'GITHUB', problems),
    google: buildOAuthClient(raw, 'GOOGLE', problems),
  };
}

/**
 * Reads and checks all settings; it has no side effects.
 * @param env usually process.env; an empty value counts as absent
 * @returns the settings, defaults filled in
 * @throws SettingsError naming every invalid variable at once
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const problems: SettingProblem[] = [];
  const raw = parseEach(env, problems);
  const oauth = buildOAuthClients(raw, problems);
  const production = isProduction(env);
  if (production) checkProduction(env, raw, problems);
  const stripe = buildStripeSettings(raw, production, problems);
  const x402 = buildX402Settings(raw, problems);
  const brand = buildBrandSettings(raw, problems);
  const access = buildAccessSettings(raw, problems);
  const operation = buildOperationSettings(raw, production, problems);
  checkSecrets(raw, problems);
  if (problems.length > 0) throw new SettingsError(problems);

  // Without problems, every setting that has a default has a value.
  const present = raw as PresentSettings;
  return {
    port: present.PORT,
    host: present.HOST,
    baseUrl: raw.BASE_URL ?? `http://localhost:${present.PORT}`,
    dataDir: present.DATA_DIR,
    assetsDir: raw.ASSETS_DIR,
    databaseUrl: raw.DATABASE_URL,
    databasePoolSize: present.DATABASE_POOL_SIZE,
    backupBeforeUpdate: present.BACKUP_BEFORE_UPDATE,
    webConcurrency: present.WEB_CONCURRENCY,
    production,
    authSecret: raw.AUTH_SECRET,
    vaultKey: raw.VAULT_KEY,
    vaultKeyId: present.VAULT_KEY_ID,
    vaultOldKeys: raw.VAULT_KEYS_OLD ?? [],
    claimSecret: raw.CLAIM_SECRET,
    cronSecret: raw.CRON_SECRET,
    smtpUrl: raw.SMTP_URL,
    mailFrom: raw.MAIL_FROM ?? `"${brand.name}" <${present.OPERATOR_EMAIL}>`,
    brand,
    ...oauth,
    operatorEmail: present.OPERATOR_EMAIL,
    securityContact: raw.SECURITY_CONTACT,
    operators: raw.OPERATORS ?? [present.OPERATOR_EMAIL.toLowerCase()],
    purchaseFeePpm: present.PURCHASE_FEE_PERCENT,
    purchaseFeeMinMicrousd: present.PURCHASE_FEE_MIN_USD,
    seller: readSeller(raw),
    stripe,
    machinePaymentsSandbox: present.MACHINE_PAYMENTS_SANDBOX,
    payPerCall: present.PAY_PER_CALL,
    x402,
    reloadRetryMinutes: present.RELOAD_RETRY_MINUTES,
    lowBalanceMicrousd: present.LOW_BALANCE_USD,
    byokRatePpm: present.BYOK_RATE,
    providers: providerSettings(present),
    ...buildCallerLimits(present),
    waitSeconds: present.WAIT_SECONDS,
    jobs: present.JOBS,
    jobConcurrency: present.JOB_CONCURRENCY,
    handlerTimeoutSeconds: present.HANDLER_TIMEOUT_SECONDS,
    importCheckMinutes: present.IMPORT_CHECK_MINUTES,
    idempotencyHours: present.IDEMPOTENCY_HOURS,
    uploadLimitMib: present.UPLOAD_LIMIT_MIB,
    assetQuotaMib: present.ASSET_QUOTA_MIB,
    assetRetentionDays: present.ASSET_RETENTION_DAYS,
    publicAssetsPerMinute: present.PUBLIC_ASSETS_PER_MINUTE,
    blobToken: raw.BLOB_READ_WRITE_TOKEN,
    bodyLimitBytes: present.BODY_LIMIT_BYTES,
    trustedProxyHops: present.TRUSTED_PROXY_HOPS,
    mcpAllowedOrigins: raw.MCP_ALLOWED_ORIGINS ?? [],
    ffmpegPath: raw.FFMPEG_PATH,
    workerNiceness: present.WORKER_NICENESS,
    outboundAllow: raw.OUTBOUND_ALLOW ?? [],
    chromiumPath: raw.CHROMIUM_PATH,
    unconfinedSql: present.UNCONFINED_SQL,
    leaseSeconds: present.LEASE_SECONDS,
    jobRetentionDays: present.JOB_RETENTION_DAYS,
    usageRetentionMonths: present.USAGE_RETENTION_MONTHS,
    callContentMaxDays: present.CALL_CONTENT_MAX_DAYS,
    unclaimedRetentionDays: present.UNCLAIMED_RETENTION_DAYS,
    access,
    operation,
  };
}

/**
 * Reads the settings of a running gateway, after boot has completed the environment.
 * @throws SettingsError also if boot has not run: a secret or the database is missing
 */
export function readBootedSettings(env: NodeJS.ProcessEnv): BootedSettings {
  const settings = readSettings(env);
  const { databaseUrl, authSecret, vaultKey, claimSecret } = settings;
  if (databaseUrl && authSecret && vaultKey && claimSecret) {
    return { ...settings, databaseUrl, authSecret, vaultKey, claimSecret };
  }
  const problem = 'is not set yet: start the gateway with npm start or npm run dev, not with next directly';
  const missing = Object.entries({
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: authSecret,
    VAULT_KEY: vaultKey,
    CLAIM_SECRET: claimSecret,
  }).filter(([, value]) => !value);
  throw new SettingsError(missing.map(([name]) => ({ name, problem })));
}
