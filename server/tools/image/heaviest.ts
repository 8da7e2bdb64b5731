/** The inputs that occupy the gateway's main thread longest; workers process the pixels. */
export const heaviest: [string, string, unknown][] = [
  [
    'image.resize',
    'the largest picture',
    { image: 'asset_sample_photo', width: 8_000, allow_enlargement: true, format: 'jpeg' },
  ],
  ['image.convert', 'a slow format', { image: 'asset_sample_photo', format: 'avif', quality: 100 }],
  ['image.inspect', 'a photo', { image: 'asset_sample_photo' }],
  [
    'image.compose',
    'as many layers as there can be',
    {
      image: 'asset_sample_photo',
      layers: Array.from({ length: 20 }, (_, at) => ({
        text: 'word '.repeat(200),
        font_size: 6 + at,
        opacity: 0.5,
      })),
    },
  ],
  [
    'image.compose',
    'far too many layers',
    { canvas: { width: 1, height: 1 }, layers: Array.from({ length: 40_000 }, () => ({ text: 'a' })) },
  ],
];
