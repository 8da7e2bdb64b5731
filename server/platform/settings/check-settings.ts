import type { RawSettings, SettingProblem } from './settings';
import type { SettingName } from './settings-table';

const REQUIRED_IN_PRODUCTION = {
  BASE_URL: 'set it to the public origin, such as https://gateway.example.com',
  AUTH_SECRET: 'create one with: openssl rand -base64 32',
  VAULT_KEY: 'create one with: openssl rand -base64 32',
  CLAIM_SECRET: 'create one with: openssl rand -base64 32',
} satisfies Partial<Record<SettingName, string>>;

/** Adds a problem for each setting that production needs and that is missing. */
export function checkProduction(
  env: NodeJS.Dict<string>,
  raw: RawSettings,
  problems: SettingProblem[],
): void {
  for (const [name, fix] of Object.entries(REQUIRED_IN_PRODUCTION)) {
    if (!env[name]?.trim()) problems.push({ name, problem: `is required in production: ${fix}` });
  }
  if (!env.DATABASE_URL?.trim() && !raw.EMBEDDED_POSTGRES) {
    const fix = 'point it at your PostgreSQL, or set EMBEDDED_POSTGRES=1 to use the embedded one';
    problems.push({ name: 'DATABASE_URL', problem: `is required in production: ${fix}` });
  }
  const signIn = ['SMTP_URL', 'GITHUB_CLIENT_ID', 'GOOGLE_CLIENT_ID', 'OIDC_ISSUER'].some((name) =>
    env[name]?.trim(),
  );
  if (!signIn) {
    const fix = 'set it, or GITHUB_CLIENT_ID and _SECRET, GOOGLE_CLIENT_ID and _SECRET, or OIDC_ISSUER';
    problems.push({
      name: 'SMTP_URL',
      problem: `is required in production, because otherwise no user can sign in: ${fix}`,
    });
  }
}

/** Adds a problem for secrets and ids that must differ. */
export function checkSecrets(raw: RawSettings, problems: SettingProblem[]): void {
  if (raw.AUTH_SECRET && raw.AUTH_SECRET === raw.CLAIM_SECRET) {
    problems.push({ name: 'CLAIM_SECRET', problem: 'must differ from AUTH_SECRET' });
  }
  if (raw.VAULT_KEYS_OLD?.some(({ id }) => id === raw.VAULT_KEY_ID)) {
    problems.push({ name: 'VAULT_KEYS_OLD', problem: `must not name VAULT_KEY_ID: each key has its own id` });
  }
}
