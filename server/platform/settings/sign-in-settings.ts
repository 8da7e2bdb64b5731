import { define, plainText } from './setting-schemas';
import type { RawSettings, SettingProblem } from './settings';

/** Settings of sign-in with other services. */
export const SIGN_IN_SETTINGS = {
  GITHUB_CLIENT_ID: define(plainText, null, 'GitHub sign-in; requires GITHUB_CLIENT_SECRET too.'),
  GITHUB_CLIENT_SECRET: define(plainText, null, 'GitHub sign-in; requires GITHUB_CLIENT_ID too.', {
    secret: true,
  }),
  GOOGLE_CLIENT_ID: define(plainText, null, 'Google sign-in; requires GOOGLE_CLIENT_SECRET too.'),
  GOOGLE_CLIENT_SECRET: define(plainText, null, 'Google sign-in; requires GOOGLE_CLIENT_ID too.', {
    secret: true,
  }),
};

export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

/** Builds the OAuth clients; null for a service that is not set up. */
export function buildOAuthClients(
  raw: RawSettings,
  problems: SettingProblem[],
): { github: OAuthClient | null; google: OAuthClient | null } {
  return {
    github: buildOAuthClient(raw, 'GITHUB', problems),
    google: buildOAuthClient(raw, 'GOOGLE', problems),
  };
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
