import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const files = await createFilesForTests();

const call = async (skill: string, input: Record<string, unknown>) =>
  (await runSkill(tool, skill, input, { files })).output;
const resize = (input: Record<string, unknown>) => call('resize', { image: 'asset_sample_photo', ...input });
const made = async (output: { asset: { asset_id: string } }) =>
  sharp(await files.readBytes(output.asset.asset_id));
const plain = (width: number, height: number, background: string | object = '#3366cc') =>
  sharp({ create: { width, height, channels: 4, background } });

/** Reads one pixel as red, green, blue and alpha. */
async function readPixel(output: { asset: { asset_id: string } }, left: number, top: number) {
  const region = { left, top, width: 1, height: 1 };
  return [...(await (await made(output)).ensureAlpha().extract(region).raw().toBuffer())];
}

/**
 * A PNG with a header of this size and almost no data, which would need too much memory to decode.
 */
function headerBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk('IDAT', Buffer.from('789c636000000000020001', 'hex'));
  return Buffer.concat([mark, chunk('IHDR', header), data, chunk('IEND', Buffer.alloc(0))]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

describe('resize', () => {
  it('keeps the aspect ratio, and returns the actual facts of the file', async () => {
    const output = await resize({ width: 480 });
    expect(output).toMatchObject({ width: 480, height: 320, format: 'jpeg', frames: 1 });
    expect(await (await made(output)).metadata()).toMatchObject({ width: 480, height: 320, format: 'jpeg' });
    expect(output.asset).toMatchObject({ filename: 'photo-resized.jpg', content_type: 'image/jpeg' });
  });

  it('crops, pads and stretches to exactly the box', async () => {
    for (const fit of ['cover', 'contain', 'fill'])
      expect(await resize({ width: 200, height: 200, fit })).toMatchObject({ width: 200, height: 200 });
    expect(await resize({ width: 200, height: 200, fit: 'outside' })).toMatchObject({
      width: 300,
      height: 200,
    });
    const padded = await resize({
      width: 200,
      height: 200,
      fit: 'contain',
      background: '#ff0000',
      format: 'png',
    });
    expect(await readPixel(padded, 2, 2)).toEqual([255, 0, 0, 255]);
  });

  it('enlarges nothing unless allowed', async () => {
    expect(await resize({ width: 2_000 })).toMatchObject({ width: 960, height: 640 });
    expect(await resize({ width: 1_920, allow_enlargement: true })).toMatchObject({
      width: 1_920,
      height: 1_280,
    });
  });

  it('applies the orientation of a photo, and removes its metadata @C5', async () => {
    const exif = { IFD0: { Make: 'Acme', Artist: 'Ada' } };
    const turned = await plain(40, 20).jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer();
    const image = await files.add('turned.jpg', turned);
    const output = await call('resize', { image, width: 10 });
    expect(output).toMatchObject({ width: 10, height: 20 });
    const { orientation, exif: left } = await (await made(output)).metadata();
    expect(orientation ?? 1).toBe(1);
    expect(left).toBeUndefined();
  });

  it('preserves an animation', async () => {
    const frames = Buffer.concat([0, 90, 180].map((value) => Buffer.alloc(40 * 20 * 3, value)));
    const raw = { width: 40, height: 60, channels: 3, pageHeight: 20 } as const;
    const image = await files.add('moving.gif', await sharp(frames, { raw }).gif().toBuffer());
    expect(await call('resize', { image, width: 20 })).toMatchObject({
      width: 20,
      height: 10,
      frames: 3,
      format: 'gif',
    });
    expect(await call('convert', { image, format: 'webp' })).toMatchObject({
      width: 40,
      height: 20,
      frames: 3,
    });
    expect(await call('convert', { image, format: 'png' })).toMatchObject({
      width: 40,
      height: 20,
      frames: 1,
    });
  });

  it('finds a quality for the requested size, and reports if there is none', async () => {
    const output = await resize({ max_bytes: 12_000 });
    expect(output.asset.size_bytes).toBeLessThanOrEqual(12_000);
    expect(output.asset.size_bytes).toBeGreaterThan(8_000);
    expect(output).toMatchObject({ width: 960, height: 640 });
    await expect(resize({ max_bytes: 1_000 })).rejects.toThrow(/^max_bytes: even at the lowest quality/);
  });

  it('refuses pictures that are too large before creating them @C5', async () => {
    await expect(resize({})).rejects.toThrow(/^width, height, max_bytes: pass at least one/);
    await expect(resize({ width: 16_000, allow_enlargement: true })).rejects.toThrow(
      /^width: the picture would have 16000 × 10667 pixels; the limit for jpeg is 50 million/,
    );
    await expect(resize({ width: 5_000, allow_enlargement: true, format: 'avif' })).rejects.toThrow(
      /the limit for avif is 12 million pixels/,
    );
    await expect(resize({ width: 100_000 })).rejects.toThrow();
  });
});

describe('files that cannot be read', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
  it.each([
    [
      'a header of 50,000 × 50,000 pixels',
      () => headerBomb(50_000, 50_000),
      /^image: the picture has (50000 × 50000|more than)/,
    ],
    ['a PDF', () => Buffer.from('%PDF-1.4\n%%EOF'), /^image: the file is not a supported picture/],
    ['text', () => Buffer.from('hello'), /^image: the file is not a supported picture/],
    ['an SVG', () => Buffer.from(svg), /^image: SVG files are not supported/],
    ['a header without pixels', () => headerBomb(50, 50), /^image: the picture is damaged/],
  ])('%s is refused with a clear message', async (_what, bytes, words) => {
    const image = await files.add('bad.png', bytes());
    await expect(call('resize', { image, width: 10 })).rejects.toThrow(words);
    await expect(call('inspect', { image })).rejects.toThrow(words);
    await expect(call('compose', { image, layers: [] })).rejects.toThrow(words);
  });

  it('a truncated JPEG is refused', async () => {
    const whole = await files.readBytes('asset_sample_photo');
    const image = await files.add('cut.jpg', whole.subarray(0, whole.length / 2));
    await expect(call('convert', { image, format: 'png' })).rejects.toThrow(/^image: the picture is damaged/);
  });
});

describe('convert', () => {
  it.each(['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'])(
    'writes %s that can be read again',
    async (format) => {
      const output = await call('convert', { image: 'asset_sample_logo', format });
      expect(output).toMatchObject({ width: 256, height: 256, format });
      const { format: read, compression, hasAlpha } = await (await made(output)).metadata();
      expect(read).toBe(format === 'avif' ? 'heif' : format);
      if (format === 'avif') expect(compression).toBe('av1');
      expect(hasAlpha).toBe(format !== 'jpeg');
    },
  );

  it('draws transparent parts on the requested background', async () => {
    const image = await files.add(
      'clear.png',
      await plain(20, 20, { r: 0, g: 0, b: 0, alpha: 0 }).png().toBuffer(),
    );
    const white = await call('convert', { image, format: 'jpeg' });
    expect(await readPixel(white, 5, 5)).toEqual([255, 255, 255, 255]);
    const green = await call('convert', { image, format: 'png', background: '#00ff00' });
    expect(await readPixel(green, 5, 5)).toEqual([0, 255, 0, 255]);
  });

  it('keeps metadata only if requested', async () => {
    const tagged = plain(20, 20)
      .jpeg()
      .withExif({ IFD0: { Artist: 'Ada' } });
    const image = await files.add('tagged.jpg', await tagged.toBuffer());
    const kept = await call('convert', { image, format: 'jpeg', keep_metadata: true });
    expect((await (await made(kept)).metadata()).exif?.toString('latin1')).toContain('Ada');
    const removed = await call('convert', { image, format: 'jpeg' });
    expect((await (await made(removed)).metadata()).exif).toBeUndefined();
  });
});

describe('compose', () => {
  const canvas = { width: 200, height: 100, color: '#000000' };
  const white = async () => await files.add('white.png', await plain(50, 50, '#ffffff').png().toBuffer());

  it('draws a picture at its position, half transparent', async () => {
    const image = await white();
    const place = { position: 'bottom_right', margin_x: 10, margin_y: 10, opacity: 0.5 };
    const output = await call('compose', { canvas, layers: [{ image, ...place }] });
    expect(output).toMatchObject({ width: 200, height: 100, format: 'png' });
    expect(await readPixel(output, 145, 45)).toEqual([128, 128, 128, 255]);
    expect(await readPixel(output, 139, 45)).toEqual([0, 0, 0, 255]);
    expect(await readPixel(output, 191, 45)).toEqual([0, 0, 0, 255]);
  });

  it('keeps the aspect ratio of a layer with only one side given', async () => {
    const image = await white();
    const output = await call('compose', { canvas, layers: [{ image, width: 20, position: 'top_left' }] });
    expect(await readPixel(output, 10, 18)).toEqual([255, 255, 255, 255]);
    expect(await readPixel(output, 10, 22)).toEqual([0, 0, 0, 255]);
  });

  it('crops layers at the edge, and drops those outside', async () => {
    const image = await white();
    const over = { image, position: 'top_left', margin_x: -25, margin_y: -25 };
    const outside = { image, position: 'top_left', margin_x: 500 };
    const output = await call('compose', { canvas, layers: [over, outside] });
    expect(await readPixel(output, 24, 24)).toEqual([255, 255, 255, 255]);
    expect(await readPixel(output, 26, 26)).toEqual([0, 0, 0, 255]);
  });

  it('names the characters for which there is no font', async () => {
    const canvas = { width: 60, height: 40 };
    const drawn = async (text: string) => (await call('compose', { canvas, layers: [{ text }] })).warnings;
    expect(await drawn('Grüße')).toBeUndefined();
    expect(await drawn('a\u{10fff0}')).toEqual([expect.stringContaining('shows as boxes: \u{10fff0}.')]);
  });

  it('draws any text literally', async () => {
    const text = '<image href="/etc/passwd"/> &amp; "A" \u0000';
    const output = await call('compose', { canvas, layers: [{ text, font_size: 12 }] });
    const { channels } = await (await made(output)).stats();
    expect(channels[0]?.max).toBeGreaterThan(200);
  });

  it('draws borders and transparent round corners', async () => {
    const output = await call('compose', {
      canvas,
      border: { width: 10, color: '#ff0000' },
      corner_radius: 20,
    });
    expect(output).toMatchObject({ width: 220, height: 120 });
    expect((await readPixel(output, 0, 0))[3]).toBe(0);
    expect(await readPixel(output, 110, 5)).toEqual([255, 0, 0, 255]);
  });

  it('refuses too many pixels, for the result and for a layer', async () => {
    const large = { width: 6_000, height: 6_000 };
    await expect(call('compose', { canvas: large })).rejects.toThrow('is 25 million');
    const image = await white();
    await expect(call('compose', { canvas, layers: [{ image, ...large }] })).rejects.toThrow('is 25 million');
  });

  it('names the invalid layer', async () => {
    await expect(call('compose', { canvas, layers: [{}] })).rejects.toThrow(
      'layers.0: pass either image or text',
    );
    await expect(call('compose', { layers: [] })).rejects.toThrow('image, canvas: pass exactly one');
    const bad = await files.add('bad.png', Buffer.from('nothing'));
    await expect(call('compose', { canvas, layers: [{ image: bad }] })).rejects.toThrow(
      /^layers.0.image: the file is not a supported picture/,
    );
  });
});
