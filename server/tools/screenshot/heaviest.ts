export const heaviest: [string, string, unknown][] = [
  [
    'screenshot.capture',
    'the largest picture',
    {
      html: `<div style="height:20000px;background:linear-gradient(red,blue)">${'x'.repeat(400_000)}</div>`,
      full_page: true,
      width: 1_280,
      device_scale: 1.5,
    },
  ],
  [
    'screenshot.page_to_pdf',
    'hundreds of pages',
    { html: '<p>A paragraph of some words.</p>'.repeat(10_000) },
  ],
];
