const addresses = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@example.com`);

export const heaviest: [string, string, unknown][] = [
  [
    'email.send',
    'the longest mail with a video',
    {
      from: 'a@example.com',
      to: addresses(50),
      subject: 'x'.repeat(500),
      text: '漢'.repeat(100_000),
      html: 'x'.repeat(400_000),
      attachments: ['asset_sample_clip', 'asset_sample_report', 'asset_sample_photo'],
    },
  ],
  [
    'email.send',
    'far too many addresses',
    { from: 'a@example.com', to: addresses(40_000), subject: 'x', text: 'x' },
  ],
];
