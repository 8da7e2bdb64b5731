// Reads the EXIF fields that callers need. Every offset comes from the file and is validated.

const MAX_ENTRIES = 500;
const MAX_TEXT_CHARS = 200;
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8];

/**
 * @typedef {object} Bytes
 * @property {(at: number, bytes: number) => number} read
 * @property {(at: number, length: number) => string} latin1
 * @property {number} size
 */
/**
 * @typedef {{ camera_make?: string, camera_model?: string, lens?: string, software?: string,
 *   taken_at?: string, exposure_seconds?: number, aperture?: number, iso?: number,
 *   focal_length_mm?: number, latitude?: number, longitude?: number, artist?: string,
 *   copyright?: string }} ExifSummary
 */

/**
 * @param {Buffer | undefined} exif as stored in the file, with or without the prefix `Exif\0\0`
 * @returns {ExifSummary | null} null if there is no readable EXIF data
 */
export function summarizeExif(exif) {
  if (!exif) return null;
  const tiff = exif.subarray(exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0);
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return null;
  const bytes = createReader(tiff, order === 'II');
  const main = readEntries(bytes, bytes.read(4, 4));
  const camera = readEntries(bytes, firstNumber(main.get(0x8769)) ?? 0);
  const gps = readEntries(bytes, firstNumber(main.get(0x8825)) ?? 0);
  const latitude = parseDegrees(gps.get(2), gps.get(1), 90);
  const longitude = parseDegrees(gps.get(4), gps.get(3), 180);
  const summary = {
    camera_make: cleanText(main.get(0x10f)),
    camera_model: cleanText(main.get(0x110)),
    lens: cleanText(camera.get(0xa434)),
    software: cleanText(main.get(0x131)),
    artist: cleanText(main.get(0x13b)),
    copyright: cleanText(main.get(0x8298)),
    taken_at: parseTime(cleanText(camera.get(0x9003)) ?? cleanText(main.get(0x132))),
    exposure_seconds: firstNumber(camera.get(0x829a)),
    aperture: firstNumber(camera.get(0x829d)),
    iso: firstNumber(camera.get(0x8827)),
    focal_length_mm: firstNumber(camera.get(0x920a)),
    ...(latitude !== undefined && longitude !== undefined ? { latitude, longitude } : {}),
  };
  const found = Object.entries(summary).filter(([, value]) => value !== undefined);
  return found.length > 0 ? Object.fromEntries(found) : null;
}

/** @param {Buffer} buffer @param {boolean} little @returns {Bytes} */
function createReader(buffer, little) {
  return {
    size: buffer.length,
    read(at, bytes) {
      if (at < 0 || at + bytes > buffer.length) return 0;
      return little ? buffer.readUIntLE(at, bytes) : buffer.readUIntBE(at, bytes);
    },
    latin1: (at, length) => buffer.toString('latin1', at, at + length),
  };
}

/**
 * @param {Bytes} bytes
 * @param {number} start of the directory
 * @returns {Map<number, string | number[]>}
 */
function readEntries(bytes, start) {
  const entries = new Map();
  if (start < 8) return entries;
  const count = Math.min(bytes.read(start, 2), MAX_ENTRIES);
  for (let index = 0; index < count; index += 1) {
    const at = start + 2 + index * 12;
    const [tag, type, length] = [bytes.read(at, 2), bytes.read(at + 2, 2), bytes.read(at + 4, 4)];
    const width = TYPE_BYTES[type] ?? 0;
    if (width === 0 || length === 0 || length > bytes.size) continue;
    const data = width * length <= 4 ? at + 8 : bytes.read(at + 8, 4);
    if (type === 2) entries.set(tag, bytes.latin1(data, Math.min(length, MAX_TEXT_CHARS)));
    else entries.set(tag, readNumbers(bytes, data, type, Math.min(length, 3)));
  }
  return entries;
}

/** @param {Bytes} bytes @param {number} at @param {number} type @param {number} length */
function readNumbers(bytes, at, type, length) {
  const width = TYPE_BYTES[type] ?? 1;
  return Array.from({ length }, (_, index) => {
    const place = at + index * width;
    return width === 8 ? bytes.read(place, 4) / bytes.read(place + 4, 4) : bytes.read(place, width);
  });
}

/** @param {string | number[] | undefined} value */
function firstNumber(value) {
  const number = Array.isArray(value) ? value[0] : undefined;
  return number !== undefined && Number.isFinite(number) ? number : undefined;
}

/** @param {string | number[] | undefined} value */
function cleanText(value) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a file says may hold any; none may reach a terminal or a database
  const text = typeof value === 'string' ? value.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim() : '';
  return text === '' ? undefined : text;
}

/**
 * Parses `2024:05:06 07:08:09`; this EXIF field has no time zone.
 * @param {string | undefined} text
 */
function parseTime(text) {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)/.exec(text ?? '');
  return match ? `${match[1]}-${match[2]}-${match[3]}T${match[4]}` : undefined;
}

/**
 * @param {string | number[] | undefined} parts
 * @param {string | number[] | undefined} side
 * @param {number} most
 */
function parseDegrees(parts, side, most) {
  if (!Array.isArray(parts) || parts.length < 3) return undefined;
  const [degrees = 0, minutes = 0, seconds = 0] = parts;
  const value = degrees + minutes / 60 + seconds / 3600;
  if (!Number.isFinite(value) || value > most) return undefined;
  const rounded = Math.round(value * 1e6) / 1e6;
  return side === 'S' || /^[SW]/.test(String(side)) ? -rounded : rounded;
}
