import type { BrandSettings } from '../settings/brand-settings';
import { SettingsError } from '../settings/settings';
import { DEFAULT_LOGO } from './default-logo';

/** Twice the size in emails, for dense screens. */
const HEIGHT = 80;
const MAX_WIDTH = 400;
/** Draws SVG files that are small in their own units sharply. */
const SVG_DENSITY = 300;
const MAX_PIXELS = 16_000_000;

/** Draws the logo as a small PNG: email programs show no SVG. */
export async function drawLogo({ logo }: Pick<BrandSettings, 'logo'>): Promise<Buffer> {
  // Loaded here, because processes that send no email never need it.
  const { default: sharp } = await import('sharp');
  const { bytes, type } = logo ?? DEFAULT_LOGO;
  const options = {
    limitInputPixels: MAX_PIXELS,
    ...(type === 'image/svg+xml' ? { density: SVG_DENSITY } : {}),
  };
  return await sharp(bytes, options)
    .resize({ height: HEIGHT, width: MAX_WIDTH, fit: 'inside' })
    .png()
    .toBuffer();
}

/**
 * Draws the operator's logo once at start, so that a broken file fails there and not in an email.
 * @throws SettingsError
 */
export async function checkLogo(brand: Pick<BrandSettings, 'logo'>): Promise<void> {
  if (!brand.logo) return;
  try {
    await drawLogo(brand);
  } catch {
    const problem = 'cannot be drawn: the file is damaged, or its image is too large';
    throw new SettingsError([{ name: 'BRAND_LOGO_FILE', problem }]);
  }
}
