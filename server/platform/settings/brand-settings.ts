import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { fromSettingsFolder } from '../../kit/settings-folder.mjs';
import { brandName, define, hexColor, plainText } from './setting-schemas';
import type { RawSettings, SettingProblem } from './settings';

/** Larger files are no logos; every page and email would carry them. */
export const MAX_LOGO_BYTES = 256 * 1024;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Settings for the name and look of the gateway. */
export const BRAND_SETTINGS = {
  BRAND_NAME: define(brandName, 'Tool Gateway', 'Name of the product on pages and in emails.'),
  BRAND_LOGO_FILE: define(
    plainText,
    null,
    'Logo of pages and emails: a PNG or SVG file of at most 256 KiB; a square shows best. Read at start.',
    { defaultNote: 'built in' },
  ),
  BRAND_COLOR: define(hexColor, '#1f51d6', 'Colour of the buttons in emails, as #rrggbb.'),
};

export interface BrandLogo {
  bytes: Buffer;
  type: 'image/png' | 'image/svg+xml';
  /** Changes with the file. */
  version: string;
}

/** How pages and emails present the gateway. */
export interface BrandSettings {
  name: string;
  /** `#rrggbb`, of the buttons in emails. */
  color: string;
  /** Null for the built-in one. */
  logo: BrandLogo | null;
}

/** Builds the brand, with the logo read from its file. */
export function buildBrandSettings(raw: RawSettings, problems: SettingProblem[]): BrandSettings {
  const { BRAND_NAME: name, BRAND_COLOR: color, BRAND_LOGO_FILE: file } = raw;
  return { name: name ?? '', color: color ?? '', logo: file ? readLogo(file, problems) : null };
}

function readLogo(file: string, problems: SettingProblem[]): BrandLogo | null {
  const refuse = (problem: string) => {
    problems.push({ name: 'BRAND_LOGO_FILE', problem: `${problem} (it is ${JSON.stringify(file)})` });
    return null;
  };
  const bytes = readStart(file, MAX_LOGO_BYTES + 1);
  if (bytes === null) return refuse('cannot be read: name a PNG or SVG file that the gateway may read');
  if (bytes.byteLength > MAX_LOGO_BYTES) return refuse(`must have at most ${MAX_LOGO_BYTES / 1024} KiB`);
  const type = detectType(bytes);
  if (type === null) return refuse('must be a PNG or SVG file');
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  return { bytes, type, version };
}

/** Reads at most `limit` bytes, so that a wrong path to a huge file or a device is harmless. */
function readStart(file: string, limit: number): Buffer | null {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(/* turbopackIgnore: true */ fromSettingsFolder(file), 'r');
    const bytes = Buffer.alloc(limit);
    let length = 0;
    while (length < limit) {
      const read = readSync(descriptor, bytes, length, limit - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } catch {
    return null;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function detectType(bytes: Buffer): BrandLogo['type'] | null {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'image/png';
  const start = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const root = /^\s*(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/i;
  return root.test(start) ? 'image/svg+xml' : null;
}
