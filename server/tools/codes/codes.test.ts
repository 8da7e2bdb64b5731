import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { computeCheckDigit, symbologies, symbologyNames } from './symbologies';
import { scan } from './testing/scan-codes';

const qr = async (input: Record<string, unknown>) => (await runSkill(tool, 'qr', input)).output;
const barcode = async (input: Record<string, unknown>) => (await runSkill(tool, 'barcode', input)).output;

describe('qr', () => {
  it.each(['hello', 'https://example.com/?a=1', 'mailto:me@example.com', 'Grüße 日本'])(
    'draws %s so that a scanner reads the same text',
    async (content) => {
      const drawn = await qr({ content, format: 'png', error_correction: 'L', size: 400 });
      expect(await scan(drawn.content)).toEqual([{ format: expect.stringMatching(/^QR/), text: content }]);
    },
  );

  it('returns an SVG of the requested size, colours and level', async () => {
    const svg = await qr({
      content: 'hello',
      size: 500,
      foreground: '#102030',
      background: 'transparent',
      error_correction: 'H',
    });
    expect(svg).toMatchObject({
      media_type: 'image/svg+xml',
      width: 500,
      height: 500,
      error_correction: 'H',
      version: 1,
    });
    expect(svg.content).toMatch(/^<svg width="500" height="500" viewBox="0 0 58 58"/);
    expect(svg.content).toContain('#102030');
    expect(svg.content).not.toContain('<rect');
  });

  it('refuses content that does not fit or cannot be scanned, and names the field', async () => {
    await expect(qr({ content: 'ü'.repeat(700), error_correction: 'H' })).rejects.toThrow(
      '1400 bytes; a QR code of level H holds at most 1273',
    );
    await expect(qr({ content: '1'.repeat(7_000), error_correction: 'H' })).rejects.toThrow(
      /^content: cannot be encoded/,
    );
    await expect(qr({ content: 'x', foreground: '#ffffff' })).rejects.toThrow('contrast is too low');
  });
});

describe('barcode', () => {
  const valid: Record<(typeof symbologyNames)[number], string> = {
    ean13: '952012345678',
    ean8: '1234567',
    upca: '12345678901',
    itf14: '1234567890123',
    code128: 'INV-2026-0042',
    code39: 'ABC 12-3',
    code93: 'ABC 12-3',
    codabar: 'A1234B',
    datamatrix: 'SN ü',
    pdf417: 'PDF ü',
    aztec: 'aztec ü',
  };

  it.each(symbologyNames)('draws %s as an SVG, and as a PNG that a scanner reads', async (type) => {
    const svg = await barcode({ type, content: valid[type] });
    expect(svg).toMatchObject({ type, format: 'svg', width: 320 });
    expect(svg.content).toMatch(/<path /);
    const png = await barcode({ type, content: valid[type], format: 'png', size: 600 });
    const [read] = await scan(png.content);
    // Scanners read UPC-A as an EAN-13 that starts with 0.
    expect(read?.text).toBe(type === 'upca' ? `0${png.encoded}` : png.encoded);
  });

  it('adds the check digit, and verifies a given one', async () => {
    expect(await barcode({ type: 'ean13', content: '4-006381-33393' })).toMatchObject({
      encoded: '4006381333931',
    });
    await expect(barcode({ type: 'ean13', content: '4006381333932' })).rejects.toThrow(
      'the check digit of 4006381333932 is 2 and should be 1',
    );
    await expect(barcode({ type: 'upca', content: '123' })).rejects.toThrow('UPC-A needs 12 digits, or 11');
    await expect(barcode({ type: 'ean8', content: '12345a7' })).rejects.toThrow('the character "a"');
    await expect(barcode({ type: 'code39', content: 'abc' })).rejects.toThrow(
      'Code 39 allows only digits, capital letters',
    );
  });

  it('detects every single wrong digit', () => {
    const digits = fc.stringMatching(/^\d{12}$/);
    fc.assert(
      fc.property(digits, fc.nat(12), fc.integer({ min: 1, max: 9 }), (body, position, change) => {
        const good = `${body}${computeCheckDigit(body)}`;
        expect(symbologies.ean13.prepare(good)).toEqual({ ok: true, text: good });
        const wrong = (Number(good[position]) + change) % 10;
        const bad = `${good.slice(0, position)}${wrong}${good.slice(position + 1)}`;
        expect(symbologies.ean13.prepare(bad).ok).toBe(false);
      }),
    );
  });
});
