import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readBootedSettings, readSettings, SettingsError, settingsTable } from './settings';
import { findConflicts } from './settings-conflicts';
import { findLikelyTypos } from './settings-typos';

const SECRET = 'a'.repeat(40);
const VAULT_KEY = Buffer.alloc(32, 7).toString('base64');
const PRODUCTION = {
  GATEWAY_ENV: 'production',
  BASE_URL: 'https://gateway.example.com',
  DATABASE_URL: 'postgres://u:p@db/gateway',
  AUTH_SECRET: SECRET,
  VAULT_KEY,
  CLAIM_SECRET: 'b'.repeat(40),
  SMTP_URL: 'smtps://u:p@mail.example.com',
};

function read(env: Record<string, string>) {
  return readSettings(env);
}

function problemsOf(env: Record<string, string>): string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.map(({ name }) => name);
    throw error;
  }
  return [];
}

describe('operation settings', () => {
  it('are all reported at once if they are invalid', () => {
    const env = {
      LOG_LEVEL: 'loud',
      ACCESS_LOG: '1',
      METRICS_TOKEN: 'short',
      WORKER_PORT: '3000',
      SHUTDOWN_DELAY_SECONDS: '301',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'no-value',
      OTEL_TRACES_SAMPLER_ARG: '1.1',
    };
    expect(problemsOf(env).sort()).toEqual(Object.keys(env).sort());
    expect(() => read(env)).not.toThrow(/short|no-value/);
  });

  it("build the collector's URL as OpenTelemetry specifies", () => {
    const tracesOf = (env: Record<string, string>) => read(env).operation.traces;
    expect(tracesOf({})).toBeNull();
    expect(tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' })?.url).toBe('http://c:4318/v1/traces');
    const own = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t/x',
    };
    expect(tracesOf({ ...own, OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, d=e' })).toMatchObject({
      url: 'https://t/x',
      headers: { a: 'b c', d: 'e' },
      ratio: 1,
    });
  });

  it('turn the access log on in production, and off in a local start', () => {
    expect(read({}).operation.accessLog).toBe(false);
    expect(read(PRODUCTION).operation.accessLog).toBe(true);
    expect(read({ ...PRODUCTION, ACCESS_LOG: 'off' }).operation.accessLog).toBe(false);
  });

  it('and all others: a name that is nearly a setting is found, any other is not', () => {
    const env = {
      DATABSE_URL: 'x',
      METRIC_TOKEN: 'x',
      PATH: '/bin',
      HOME: '/',
      npm_config_port: '1',
      DATA_DIRS: 'x',
      CALLS_PER_MINUTE: '10',
      CALLS_PER_WEEK: '10',
    };
    expect(findLikelyTypos({ ...env, DATA_DIR: 'set' })).toEqual([
      { name: 'DATABSE_URL', meant: 'DATABASE_URL' },
      { name: 'METRIC_TOKEN', meant: 'METRICS_TOKEN' },
      { name: 'CALLS_PER_MINUTE', meant: 'RATE_PER_MINUTE' },
    ]);
  });
});

describe('readSettings', () => {
  it('needs nothing for a local start', () => {
    const settings = read({});
    expect(settings).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      baseUrl: 'http://localhost:3000',
      production: false,
      databaseUrl: null,
      operatorEmail: 'operator@localhost',
      github: null,
    });
  });

  it('parses money and rates exactly, as integers', () => {
    const defaults = read({});
    expect(defaults.purchaseFeePpm).toBe(55_000n);
    expect(defaults.purchaseFeeMinMicrousd).toBe(800_000n);
    expect(defaults.byokRatePpm).toBe(50_000n);
    expect(read({ PURCHASE_FEE_MIN_USD: '0.000001' }).purchaseFeeMinMicrousd).toBe(1n);
    expect(read({ PURCHASE_FEE_PERCENT: '0.0001' }).purchaseFeePpm).toBe(1n);
  });

  it('counts an empty value as absent', () => {
    expect(read({ PORT: '', BASE_URL: ' ', SMTP_URL: '' }).port).toBe(3000);
  });

  it.each([
    ['https://Gate.Example.com', 'https://gate.example.com'],
    ['HTTPS://gate.example.com:443/', 'https://gate.example.com'],
    ['http://[::0001]:3000', 'http://[::1]:3000'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('stores the origin %s as URL parsers write it', (text, stored) => {
    expect(read({ BASE_URL: text }).baseUrl).toBe(stored);
  });

  it('names every invalid variable in one message', () => {
    const env = { PORT: '80a', BASE_URL: 'https://x.example/path', BYOK_RATE: '1.5', VAULT_KEY: 'short' };
    expect(problemsOf(env)).toEqual(['PORT', 'BASE_URL', 'VAULT_KEY', 'BYOK_RATE']);
    expect(() => read(env)).toThrow(/PORT must be a whole number.*"80a"[\s\S]*BASE_URL[\s\S]*BYOK_RATE/);
  });

  it('says what a key of a provider looks like', () => {
    expect(() => read({ OPENAI_API_KEY: 'sk-fake' })).toThrow(
      /OPENAI_API_KEY must be an API key of OpenAI: 8 to 512 printable characters without white space/,
    );
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1e3'],
    ['PORT', '0x50'],
    ['HOST', 'http://x'],
    ['BASE_URL', 'ftp://x'],
    ['BASE_URL', 'https://user:pass@x.example'],
    ['BASE_URL', 'https://x.example?a'],
    ['BASE_URL', 'https://x.example#'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['GATEWAY_ENV', 'prod'],
    ['SMTP_URL', 'mail.example.com'],
    ['OPERATOR_EMAIL', 'nobody'],
    ['PURCHASE_FEE_PERCENT', '5,5'],
    ['PURCHASE_FEE_PERCENT', '100.1'],
    ['PURCHASE_FEE_MIN_USD', '0.0000001'],
    ['BYOK_RATE', 'Infinity'],
    ['EMBEDDED_POSTGRES', 'yes'],
    ['LEASE_SECONDS', '0'],
    ['IDEMPOTENCY_HOURS', '23'],
    ['USAGE_RETENTION_MONTHS', '0'],
    ['AUTH_SECRET', 'short'],
    ['VAULT_KEY', Buffer.alloc(31).toString('base64')],
    ['VAULT_KEYS_OLD', VAULT_KEY],
    ['VAULT_KEYS_OLD', `k0:${Buffer.alloc(31).toString('base64')}`],
    ['VAULT_KEYS_OLD', `k0:${VAULT_KEY},k0:${VAULT_KEY}`],
    ['VAULT_KEYS_OLD', `k0:${VAULT_KEY},`],
    // The id of the key that seals by default.
    ['VAULT_KEYS_OLD', `k1:${VAULT_KEY}`],
    ['ALERT_WEBHOOK_URL', 'http://hooks.example.com/services/T0'],
    ['ALERT_WEBHOOK_URL', 'https://ops:pass@hooks.example.com/services/T0'],
    ['BRAND_NAME', 'Acme <tools>'],
    ['BRAND_NAME', 'a'.repeat(41)],
    ['BRAND_COLOR', 'red'],
    ['BRAND_LOGO_FILE', '/missing/logo.png'],
    ['BRAND_LOGO_FILE', '/dev/zero'],
    ['BRAND_LOGO_FILE', 'package.json'],
    ['OPENAI_API_KEY', 'sk with spaces in it'],
    ['OPENAI_API_KEY', 'short'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([name]);
  });

  it('reads old vault keys by their ids', () => {
    const other = Buffer.alloc(32, 8).toString('base64');
    expect(read({}).vaultOldKeys).toEqual([]);
    expect(read({ VAULT_KEYS_OLD: `k0:${VAULT_KEY}, older-one:${other}` }).vaultOldKeys).toEqual([
      { id: 'k0', key: VAULT_KEY },
      { id: 'older-one', key: other },
    ]);
  });

  it('reads the logo of the brand from its file', () => {
    expect(read({}).brand).toEqual({ name: 'Tool Gateway', color: '#1f51d6', logo: null });
    const { brand, mailFrom } = read({ BRAND_NAME: 'Acme, Inc', BRAND_LOGO_FILE: 'app/icon.svg' });
    expect(brand.logo).toMatchObject({ type: 'image/svg+xml', bytes: readFileSync('app/icon.svg') });
    expect(mailFrom).toBe('"Acme, Inc" <operator@localhost>');
  });

  it('never prints the value of a secret', () => {
    expect(() => read({ VAULT_KEYS_OLD: 'k0:hunter1' })).toThrow(/^(?![\s\S]*hunter)/);
    expect(() => read({ AUTH_SECRET: 'hunter2', DATABASE_URL: 'hunter3' })).toThrow(/^(?![\s\S]*hunter)/);
  });

  it('accepts an OAuth client only as a pair', () => {
    expect(problemsOf({ GITHUB_CLIENT_ID: 'x' })).toEqual(['GITHUB_CLIENT_SECRET']);
    expect(problemsOf({ GOOGLE_CLIENT_SECRET: 'x' })).toEqual(['GOOGLE_CLIENT_ID']);
    expect(read({ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' }).github).toEqual({
      clientId: 'a',
      clientSecret: 'b',
    });
  });

  it('accepts an OpenID Connect provider only as a whole, and as the only way in only if there is one', () => {
    expect(problemsOf({ OIDC_ISSUER: 'https://id.test' })).toEqual(['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']);
    expect(problemsOf({ OIDC_ONLY: '1' })).toEqual(['OIDC_ONLY']);
    const oidc = { OIDC_ISSUER: 'https://id.test/', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' };
    expect(read(oidc).access.oidc).toMatchObject({ issuer: 'https://id.test', only: false });
  });

  it('requires domains where only some may sign up', () => {
    expect(problemsOf({ SIGN_UP_POLICY: 'domains' })).toEqual(['SIGN_UP_DOMAINS']);
    expect(problemsOf({ SIGN_UP_POLICY: 'domains', SIGN_UP_DOMAINS: 'localhost' })).toContain(
      'SIGN_UP_DOMAINS',
    );
    const { access } = read({ SIGN_UP_POLICY: 'domains', SIGN_UP_DOMAINS: '@Example.com, example.org' });
    expect(access.signUpDomains).toEqual(['example.com', 'example.org']);
  });
});

describe('production', () => {
  it('starts with everything it requires', () => {
    expect(read(PRODUCTION).production).toBe(true);
  });

  it('refuses to start with missing settings, and names all of them', () => {
    expect(problemsOf({ NODE_ENV: 'production' })).toEqual([
      'BASE_URL',
      'AUTH_SECRET',
      'VAULT_KEY',
      'CLAIM_SECRET',
      'DATABASE_URL',
      'SMTP_URL',
    ]);
  });

  it('accepts the embedded database only if it is allowed', () => {
    const { DATABASE_URL: _, ...rest } = PRODUCTION;
    expect(problemsOf(rest)).toEqual(['DATABASE_URL']);
    expect(problemsOf({ ...rest, EMBEDDED_POSTGRES: '1' })).toEqual([]);
  });

  it('is decided by GATEWAY_ENV once boot has set it, whatever Next sets NODE_ENV to', () => {
    expect(read({ GATEWAY_ENV: 'local', NODE_ENV: 'production' }).production).toBe(false);
  });
});

it('the running gateway never lacks a secret or its database', () => {
  expect(() => readBootedSettings({} as NodeJS.ProcessEnv)).toThrow(/DATABASE_URL[\s\S]*CLAIM_SECRET/);
  expect(readBootedSettings(PRODUCTION).vaultKey).toBe(VAULT_KEY);
});

it('every setting is documented', () => {
  for (const row of settingsTable) expect(row.description, row.name).toMatch(/^\S.{10,}\.$/s);
});

describe('settings that have no effect together', () => {
  const find = (more: Record<string, string>) => {
    const env = { ...PRODUCTION, ...more };
    return findConflicts(env, read(env));
  };

  it.each<[Record<string, string>, string]>([
    [{ RATE_PER_MINUTE: '2000' }, 'RATE_PER_MINUTE=2000 has no effect, because RATE_PER_HOUR=1000'],
    [{ RATE_PER_HOUR: '30' }, 'RATE_PER_MINUTE=60 has no effect, because RATE_PER_HOUR=30'],
    [{ ASSET_QUOTA_MIB: '50' }, 'UPLOAD_LIMIT_MIB=100 has no effect, because ASSET_QUOTA_MIB=50'],
    [{ X402_NETWORK: 'base-sepolia' }, 'X402_NETWORK has no effect without X402_FACILITATOR_URL'],
    [{ ASSETS_DIR: '/files', BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_abc_def' }, 'ASSETS_DIR has no effect'],
    [{ PAY_PER_CALL: '1' }, 'PAY_PER_CALL=1 has no way to be paid'],
  ])('%j', (env, problem) => {
    expect(find(env)).toEqual([expect.stringContaining(problem)]);
  });

  it('are not reported by default, or where they have one', () => {
    expect(find({})).toEqual([]);
    expect(find({ PAY_PER_CALL: '1', STRIPE_FAKE: '1', MAIL_FROM: 'Gateway <a@b.test>' })).toEqual([]);
  });
});
