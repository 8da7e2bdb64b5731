/** The inputs that occupy the gateway's main thread longest; workers read and render. */
export const heaviest: [string, string, unknown][] = [
  ['pdf.extract_text', 'all there is', { file: 'asset_sample_report', max_characters: 500_000 }],
  [
    'pdf.extract_text',
    'as many ranges as there can be',
    { file: 'asset_sample_report', pages: '1-3,'.repeat(120).slice(0, -1) },
  ],
  [
    'pdf.merge',
    'as many files as there can be',
    {
      files: Array.from({ length: 20 }, () => ({
        file: 'asset_sample_report',
        pages: '1-3,'.repeat(30).slice(0, -1),
      })),
    },
  ],
  [
    'pdf.merge',
    'far too many files',
    { files: Array.from({ length: 25_000 }, () => ({ file: 'asset_sample_report' })) },
  ],
  [
    'pdf.split',
    'as many parts as there can be',
    { file: 'asset_sample_report', ranges: Array.from({ length: 50 }, () => '1-3') },
  ],
  ['pdf.split', 'ranges of a MiB', { file: 'asset_sample_report', ranges: ['1-'.repeat(500_000)] }],
  [
    'pdf.render_pages',
    'many pages',
    { file: 'asset_sample_report', pages: '1-3,'.repeat(4).slice(0, -1), dpi: 72, format: 'jpeg' },
  ],
];
