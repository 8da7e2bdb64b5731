import { z } from 'zod';
import { booleanFlag, define, emails, urlSchema } from './setting-schemas';
import type { RawSettings, SettingProblem } from './settings';

/** Who may sign up: everyone, those who are invited, or addresses at certain domains. */
export const SIGN_UP_POLICIES = ['open', 'invite', 'domains'] as const;
export type SignUpPolicy = (typeof SIGN_UP_POLICIES)[number];

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;
export const DOMAIN_MESSAGE = 'must be domains separated by commas, such as example.com,example.org';

/** Domains separated by commas or spaces, in lower case. */
export const domains = z
  .string()
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .map((part) => part.replace(/^@/, ''))
      .filter(Boolean),
  )
  .refine((list) => list.length > 0 && list.every((domain) => DOMAIN.test(domain)), DOMAIN_MESSAGE);

/** Settings of who gets in, and as what. */
export const ACCESS_SETTINGS = {
  SUPPORT: define(
    emails,
    null,
    'Email addresses that may read the operator pages once verified by sign-in, but change nothing, separated by commas.',
    { defaultNote: 'none' },
  ),
  SIGN_UP_POLICY: define(
    z.enum(SIGN_UP_POLICIES, { error: 'must be open, invite or domains' }),
    'open',
    'Who may sign up: open: everyone. invite: only invited addresses. domains: also addresses at SIGN_UP_DOMAINS. Operators can change it under /operator/sign-up.',
  ),
  SIGN_UP_DOMAINS: define(
    domains,
    null,
    'Domains of the email addresses that may sign up with SIGN_UP_POLICY=domains, separated by commas. Subdomains are not included.',
    { defaultNote: 'none' },
  ),
  PROVISIONING: define(
    z.enum(['open', 'closed'], { error: 'must be open or closed' }),
    'open',
    'Whether an agent gets a key without sign-up from POST /v1/auth/provision: open or closed.',
  ),
  OIDC_ISSUER: define(
    urlSchema(['https:', 'http:'], 'https://login.example.com'),
    null,
    'Issuer of your OpenID Connect provider, for single sign-on. Its verified email addresses open existing accounts: set only an issuer that you trust.',
  ),
  OIDC_CLIENT_ID: define(
    z.string(),
    null,
    'Client ID at the OpenID Connect provider. Callback: BASE_URL/api/auth/callback/oidc.',
  ),
  OIDC_CLIENT_SECRET: define(z.string(), null, 'Client secret at the OpenID Connect provider.', {
    secret: true,
  }),
  OIDC_NAME: define(
    z.string().max(40, 'must have at most 40 characters'),
    'single sign-on',
    'Name of the OpenID Connect provider on the sign-in page: “Continue with …”.',
  ),
  OIDC_ONLY: define(
    booleanFlag,
    '0',
    'Set to 1 to sign people in only through the OpenID Connect provider: no email links, GitHub or Google.',
  ),
};

/** An OpenID Connect provider. */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
  /** No other way to sign in. */
  only: boolean;
}

export interface AccessSettings {
  /** In lower case: the emails that may read the operator pages. */
  support: readonly string[];
  signUpPolicy: SignUpPolicy;
  signUpDomains: readonly string[];
  /** Keys without sign-up are issued. */
  provisioning: boolean;
  oidc: OidcSettings | null;
}

/** Adds a problem for settings that require each other. */
export function buildAccessSettings(raw: RawSettings, problems: SettingProblem[]): AccessSettings {
  if (raw.SIGN_UP_POLICY === 'domains' && !raw.SIGN_UP_DOMAINS)
    problems.push({ name: 'SIGN_UP_DOMAINS', problem: 'is missing: SIGN_UP_POLICY=domains requires it' });
  return {
    support: raw.SUPPORT ?? [],
    signUpPolicy: raw.SIGN_UP_POLICY ?? 'open',
    signUpDomains: raw.SIGN_UP_DOMAINS ?? [],
    provisioning: raw.PROVISIONING !== 'closed',
    oidc: buildOidc(raw, problems),
  };
}

const OIDC_SETTINGS = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

function buildOidc(raw: RawSettings, problems: SettingProblem[]): OidcSettings | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = raw;
  if (issuer && clientId && clientSecret) {
    const name = raw.OIDC_NAME ?? 'single sign-on';
    return { issuer: issuer.replace(/\/$/, ''), clientId, clientSecret, name, only: raw.OIDC_ONLY ?? false };
  }
  const present = OIDC_SETTINGS.filter((name) => raw[name]);
  if (raw.OIDC_ONLY && present.length === 0)
    problems.push({
      name: 'OIDC_ONLY',
      problem: 'requires OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
    });
  if (present.length === 0) return null;
  for (const name of OIDC_SETTINGS.filter((each) => !raw[each]))
    problems.push({ name, problem: `is missing: ${present[0]} is set, and all three are required together` });
  return null;
}

/** What a verified email address may do on the operator pages; null: they do not exist for it. */
export function getOperatorRole(
  { operators, access }: { operators: readonly string[]; access: AccessSettings },
  email: string,
): 'operator' | 'support' | null {
  if (operators.includes(email)) return 'operator';
  return access.support.includes(email) ? 'support' : null;
}
