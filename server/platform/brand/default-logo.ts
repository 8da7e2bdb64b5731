import type { BrandLogo } from '../settings/brand-settings';

/** The built-in logo, in the colours of a light background. */
export const DEFAULT_LOGO: BrandLogo = {
  bytes: Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path stroke="#14171c" d="M6 21V9.5a6.5 6.5 0 0 1 13 0V21"/><path stroke="#1f51d6" d="M2 14.5h10.5M9 11l3.5 3.5L9 18"/></svg>`,
  ),
  type: 'image/svg+xml',
  version: 'default',
};
