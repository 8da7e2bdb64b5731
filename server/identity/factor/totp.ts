import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** Accepts the code before and after the current one, for clocks that differ. */
const WINDOW = 1;

/** The sealed secret of one person cannot be moved to another. */
export const factorContext = (userId: string) => `second-factor:${userId}`;

/** Generates a secret in base32. */
export function newSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI that authenticator apps read. */
export function writeUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return createTotp(secret, issuer, label).toString();
}

/** Returns the time step of a code; null if it is not valid now. */
export function findStep(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = createTotp(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

function createTotp(secret: string, issuer = '', label = ''): TOTP {
  return new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}
