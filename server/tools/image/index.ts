import { defineTool } from '../sdk/define-tool';
import { compose } from './compose';
import { convert } from './convert';
import { inspect } from './inspect';
import { resize } from './resize';

export const tool = defineTool({
  name: 'image',
  displayName: 'Image editor',
  subtitle: 'Resize, convert, inspect and combine pictures',
  description:
    'Work on photos and graphics: resize and crop images, convert between JPEG, PNG, WebP, AVIF, GIF and TIFF, compress them, read their dimensions and EXIF data, and add watermarks, captions and borders.',
  categories: ['images', 'media'],
  version: '1.0.0',
  skills: [resize, convert, inspect, compose],
});
