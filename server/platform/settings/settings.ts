import type { z } from 'zod';
import { CALL_WINDOWS } from '../../core/limits/limits';
import type { Quotas } from '../../core/limits/windows';
import { type AccessSettings, buildAccessSettings } from './access-settings';
import type { AllowedHost } from './allowed-host';
import { type BrandSettings, buildBrandSettings } from './brand-settings';
import { checkProduction, checkSecrets } from './check-settings';
import { buildOperationSettings, type OperationSettings } from './operation-settings';
import { type ProviderSettings, readProviders } from './provider-settings';
import type { ProviderName } from './providers';
import { readSeller } from './seller-settings';
import type { SettingDefinition, VaultKeySetting } from './setting-schemas';
import { GROUPED, SETTINGS, type SettingName } from './settings-table';
import { buildOAuthClients, type OAuthClient } from './sign-in-settings';
import { buildStripeSettings, type StripeSettings } from './stripe-settings';
import { buildX402Settings, type X402Settings } from './x402-settings';

/** Settings with a field of another name, unit or value; readSettings maps them. */
const MAPPED = [
  'BASE_URL',
  'BLOB_READ_WRITE_TOKEN',
  'BYOK_RATE',
  'EMBEDDED_POSTGRES',
  'GATEWAY_ENV',
  'LOW_BALANCE_USD',
  'MAIL_FROM',
  'MCP_ALLOWED_ORIGINS',
  'OPERATORS',
  'OUTBOUND_ALLOW',
  'PURCHASE_FEE_MIN_USD',
  'PURCHASE_FEE_PERCENT',
  'VAULT_KEYS_OLD',
  'CONCURRENT_CALLS',
  ...CALL_WINDOWS.map(({ setting }) => setting),
] as const satisfies readonly SettingName[];

type PlainName = Exclude<SettingName, keyof typeof GROUPED | (typeof MAPPED)[number]>;
const OTHER_FIELDS: ReadonlySet<string> = new Set([...Object.keys(GROUPED), ...MAPPED]);

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

/** Every other setting is a field: `DATA_DIR` is `dataDir`, null if it has no value. */
type PlainSettings = { [Name in PlainName as CamelCase<Name>]: PresentSettings[Name] };

/** The parsed and checked settings. Money is in micro-dollars and rates in parts per million. */
export interface Settings extends PlainSettings {
  baseUrl: string;
  production: boolean;
  /** Old keys, which only open values; 32 bytes in base64 each. */
  vaultOldKeys: readonly VaultKeySetting[];
  mailFrom: string;
  brand: BrandSettings;
  github: OAuthClient | null;
  google: OAuthClient | null;
  /** In lower case: the emails that may open the operator pages after a verified sign-in. */
  operators: readonly string[];
  purchaseFeePpm: bigint;
  purchaseFeeMinMicrousd: bigint;
  /** Named on invoices; those of real payments need name and address. */
  seller: { name: string | null; address: string | null; vatId: string | null };
  stripe: StripeSettings | null;
  x402: X402Settings | null;
  lowBalanceMicrousd: bigint;
  /** The call limits of a key, unless its account or the key has others. */
  quotas: Quotas;
  byokRatePpm: bigint;
  /** The platform's API key, if any, and the API's base URL for each provider. */
  providers: Readonly<Record<ProviderName, ProviderSettings>>;
  /** Null if files are stored on disk. */
  blobToken: string | null;
  /** Origins of other websites with scripts that may use /mcp. */
  mcpAllowedOrigins: readonly string[];
  /** Private hosts that tools may reach. */
  outboundAllow: readonly AllowedHost[];
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

/** The same without problems: every setting that has a default has a value. */
export type PresentSettings = {
  [K in SettingName]: null extends (typeof SETTINGS)[K]['default']
    ? RawSettings[K]
    : NonNullable<RawSettings[K]>;
};

function parseEach(env: NodeJS.Dict<string>, problems: SettingProblem[]): RawSettings {
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

function readPlain(present: PresentSettings): PlainSettings {
  const plain = Object.entries(present).filter(([name]) => !OTHER_FIELDS.has(name));
  return Object.fromEntries(plain.map(([name, value]) => [toCamelCase(name), value])) as PlainSettings;
}

function toCamelCase(name: string): string {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Whether missing settings are refused. If GATEWAY_ENV is set it decides alone: boot stores the
 * operator's choice there, because Next sets NODE_ENV=production even for a local start.
 */
export function isProduction(env: NodeJS.Dict<string>): boolean {
  const declared = env.GATEWAY_ENV?.trim();
  return declared ? declared === 'production' : env.NODE_ENV === 'production';
}

/**
 * Reads and checks all settings; it has no side effects.
 * @param env usually process.env; an empty value counts as absent
 * @returns the settings, defaults filled in
 * @throws SettingsError naming every invalid variable at once
 */
export function readSettings(env: NodeJS.Dict<string>): Settings {
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

  const present = raw as PresentSettings;
  return {
    baseUrl: present.BASE_URL ?? `http://localhost:${present.PORT}`,
    ...readPlain(present),
    production,
    vaultOldKeys: present.VAULT_KEYS_OLD ?? [],
    mailFrom: present.MAIL_FROM ?? `"${brand.name}" <${present.OPERATOR_EMAIL}>`,
    brand,
    ...oauth,
    operators: present.OPERATORS ?? [present.OPERATOR_EMAIL.toLowerCase()],
    purchaseFeePpm: present.PURCHASE_FEE_PERCENT,
    purchaseFeeMinMicrousd: present.PURCHASE_FEE_MIN_USD,
    seller: readSeller(present),
    stripe,
    x402,
    lowBalanceMicrousd: present.LOW_BALANCE_USD,
    quotas: {
      perWindow: CALL_WINDOWS.map(({ setting }) => present[setting]),
      concurrent: present.CONCURRENT_CALLS,
    },
    byokRatePpm: present.BYOK_RATE,
    providers: readProviders(present),
    blobToken: present.BLOB_READ_WRITE_TOKEN,
    mcpAllowedOrigins: present.MCP_ALLOWED_ORIGINS ?? [],
    outboundAllow: present.OUTBOUND_ALLOW ?? [],
    access,
    operation,
  };
}

/**
 * Reads the settings of a running gateway, after boot has completed the environment.
 * @throws SettingsError also if boot has not run: a secret or the database is missing
 */
export function readBootedSettings(env: NodeJS.Dict<string>): BootedSettings {
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
