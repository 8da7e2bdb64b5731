import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, free } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import type * as worker from './inspect-worker.mjs';
import { TIME_LIMIT_MS } from './limits.mjs';
import { imageField, openImage } from './picture';

const input = z.object({ image: imageField });

const exif = z.object({
  camera_make: z.string().optional().describe('Manufacturer of the camera.'),
  camera_model: z.string().optional().describe('Model of the camera.'),
  lens: z.string().optional().describe('Model of the lens.'),
  software: z.string().optional().describe('Software that wrote the file.'),
  artist: z.string().optional().describe('Creator of the picture.'),
  copyright: z.string().optional().describe('Copyright holder.'),
  taken_at: z
    .string()
    .optional()
    .describe('Local time of the exposure, without a time zone: 2026-05-06T07:08:09.'),
  exposure_seconds: z.number().optional().describe('Exposure time in seconds.'),
  aperture: z.number().optional().describe('F-number.'),
  iso: z.number().optional().describe('ISO sensitivity.'),
  focal_length_mm: z.number().optional().describe('Focal length in millimetres.'),
  latitude: z.number().optional().describe('Latitude of the location, in degrees north.'),
  longitude: z.number().optional().describe('Longitude of the location, in degrees east.'),
});

const output = z.object({
  format: z.string().describe('jpeg, png, webp, avif, gif or tiff.'),
  content_type: z.string().describe('Media type.'),
  size_bytes: z.int().describe('Size of the file in bytes.'),
  width: z.int().describe('Displayed width in pixels, with the orientation applied.'),
  height: z.int().describe('Displayed height in pixels.'),
  megapixels: z.number().describe('Megapixels of one frame.'),
  aspect_ratio: z.string().describe('Width to height in lowest terms, such as 3:2.'),
  colour_space: z.string().describe('srgb, b-w, cmyk, …'),
  channels: z.int().describe('Values per pixel, including transparency.'),
  bit_depth: z.int().describe('Bits per value.'),
  has_alpha: z.boolean().describe('Whether the file has an alpha channel.'),
  is_transparent: z.boolean().describe('Whether any pixel is actually transparent.'),
  has_colour_profile: z.boolean().describe('Whether an ICC profile is embedded.'),
  is_progressive: z.boolean().describe('Whether the file is stored in passes of increasing detail.'),
  frames: z.int().describe('Number of animation frames or pages; 1 for a still picture.'),
  density_dpi: z.number().nullable().describe('Pixels per inch stored in the file; null if there is none.'),
  orientation: z.int().describe('EXIF orientation, 1 (upright) to 8.'),
  exif: exif.nullable().describe('Camera, time and location from EXIF; null if there is none.'),
  dominant_colours: z
    .array(
      z.object({
        hex: z.string().describe('Colour as #rrggbb.'),
        share: z.number().describe('Share of the visible pixels, 0 to 1.'),
      }),
    )
    .describe('The most frequent colours, at most five.'),
  perceptual_hash: z
    .string()
    .describe('64-bit difference hash in hex: similar pictures differ in at most about ten bits.'),
  sha256: z.string().describe('SHA-256 of the file in hex.'),
});

export const inspect = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'inspect',
  displayName: 'Inspect a picture',
  keywords:
    'exif metadata gps location where camera phone taken dimensions width height size photo picture colors',
  description:
    'Shows what a picture file is: dimensions, format, file size, colour space, transparency, animation frames, orientation, EXIF camera data with date and GPS position, main colours, and hashes for finding duplicates.',
  input,
  output,
  returns: 'Facts about the picture: size, format, colours, EXIF and hashes.',
  examples: [
    {
      description: 'How large is this photo, and with which camera was it taken?',
      input: { image: 'asset_sample_photo' },
    },
    { description: 'Colours and transparency of a logo', input: { image: 'asset_sample_logo' } },
  ],
  price: free,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 0.5 },
  async run({ input: { image }, files, signal }) {
    const source = await openImage({ files }, image);
    const facts = acceptOrRefuse(
      await runInWorker<typeof worker.inspect>(
        'server/tools/image/inspect-worker.mjs',
        'inspect',
        { input: source.path },
        { signal, timeLimitMs: TIME_LIMIT_MS },
      ),
    );
    return { output: { ...facts, content_type: `image/${facts.format}`, size_bytes: source.sizeBytes } };
  },
});
