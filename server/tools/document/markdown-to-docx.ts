import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import type * as worker from './docx-worker.mjs';
import { TIME_LIMIT_MS } from './limits.mjs';
import { buildFilename, documentOutput, markdownInput } from './markdown-input';
import { loadPictures } from './pictures';

/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const input = z.object(markdownInput);

const output = z.object(documentOutput);

export const markdownToDocx = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'markdown_to_docx',
  displayName: 'Markdown to Word',
  keywords: 'create write make word file document docx notes headings table editable google docs',
  description:
    'Turns Markdown into a Word document (.docx) that people can go on editing in Word, Google Docs or LibreOffice: real headings, numbered lists, tables, code, links and pictures, in any language.',
  input,
  output,
  returns: 'The Word document as an asset, and warnings about what was left out.',
  examples: [
    {
      description: 'Meeting notes as a Word file',
      input: {
        markdown:
          '# Meeting notes\n\nPresent: *Ada*, *Grace*\n\n- [x] Budget agreed\n- [ ] Venue: see [list](https://example.com/)\n\n| Task | Who |\n|---|---|\n| Invitations | Ada |\n',
      },
    },
    {
      description: 'A page with a picture',
      input: { markdown: 'Our logo:\n\n![Logo](asset_sample_logo)', title: 'Brand', page_size: 'A5' },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: request, files, signal }) {
    const { markdown, title, author, orientation } = request;
    const { pictures, warnings } = await loadPictures({ files, signal }, markdown);
    const path = await files.scratch('docx');
    const written = acceptOrRefuse(
      await runInWorker<typeof worker.writeDocx>(
        'server/tools/document/docx-worker.mjs',
        'writeDocx',
        {
          ...{ markdown, title, author, orientation, pictures, output: path },
          pageSize: request.page_size,
          pageNumbers: request.page_numbers,
        },
        { signal, timeLimitMs: TIME_LIMIT_MS },
      ),
    );
    const asset = await files.save(
      { path },
      { filename: buildFilename(title, markdown, 'docx'), contentType: DOCX },
    );
    const all = [...warnings, ...written.warnings];
    return { output: { asset, pictures: Object.keys(pictures).length, warnings: all } };
  },
});
