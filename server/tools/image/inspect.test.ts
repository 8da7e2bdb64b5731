import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const files = await createFilesForTests();

const call = async (skill: string, input: Record<string, unknown>) =>
  (await runSkill(tool, skill, input, { files })).output;
const plain = (width: number, height: number, background = '#3366cc') =>
  sharp({ create: { width, height, channels: 4, background } });

describe('inspect', () => {
  it('reads camera, time and location, without control characters', async () => {
    const exif = {
      IFD0: { Make: 'Acme\u0007 Works', Model: 'One' },
      IFD2: { DateTimeOriginal: '2026:05:06 07:08:09', FNumber: '28/10', ExposureTime: '1/250' },
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 51/1 3600/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '151/1 12/1 0/1',
      },
    };
    const image = await files.add('exif.jpg', await plain(30, 20).jpeg().withExif(exif).toBuffer());
    expect((await call('inspect', { image })).exif).toMatchObject({
      camera_make: 'Acme Works',
      camera_model: 'One',
      taken_at: '2026-05-06T07:08:09',
      aperture: 2.8,
      exposure_seconds: 0.004,
      latitude: -33.86,
      longitude: 151.2,
    });
  });

  it('returns the main colour, and similar hashes for similar pictures', async () => {
    const image = await files.add('blue.png', await plain(64, 64, '#3366cc').png().toBuffer());
    expect(await call('inspect', { image })).toMatchObject({
      has_alpha: true,
      is_transparent: false,
      dominant_colours: [{ hex: '#3366cc', share: 1 }],
    });
    const hashOf = async (picture: string) =>
      BigInt(`0x${(await call('inspect', { image: picture })).perceptual_hash}`);
    const distance = (a: bigint, b: bigint) => (a ^ b).toString(2).replaceAll('0', '').length;
    const photo = await hashOf('asset_sample_photo');
    const small = { image: 'asset_sample_photo', width: 300, format: 'webp', quality: 40 };
    const smaller = (await call('resize', small)).asset.asset_id;
    expect(distance(photo, await hashOf(smaller))).toBeLessThanOrEqual(10);
    expect(distance(photo, await hashOf('asset_sample_logo'))).toBeGreaterThan(10);
  });
});
