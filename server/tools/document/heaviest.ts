const long = (line: string) => line.repeat(Math.floor(300_000 / line.length));

/** The inputs that occupy the gateway's main thread longest; workers do the typesetting. */
export const heaviest: [string, string, unknown][] = [
  ['document.markdown_to_pdf', 'a long text', { markdown: 'Some *words* of a paragraph.\n\n'.repeat(500) }],
  ['document.markdown_to_pdf', 'far too many parts', { markdown: long('*a* ') }],
  [
    'document.markdown_to_pdf',
    'as many pictures as there can be',
    {
      markdown: Array.from({ length: 20 }, (_, at) => `![${at}](asset_sample_logo) ![x](${at}.png)`).join(
        '\n\n',
      ),
    },
  ],
  ['document.markdown_to_docx', 'the longest text', { markdown: long('Some *words* of a paragraph.\n\n') }],
  ['document.markdown_to_docx', 'quotes in quotes', { markdown: '>'.repeat(300_000) }],
  [
    'document.render_email',
    'a long mail',
    { mjml: '<mj-section><mj-column><mj-text>Words</mj-text></mj-column></mj-section>'.repeat(300) },
  ],
  [
    'document.render_email',
    'very many variables',
    { mjml: 'a', variables: Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`v${at}`, at])) },
  ],
];
