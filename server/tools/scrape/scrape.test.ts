import { describe, expect, it } from 'vitest';
import { createFilesForTests, startProviderStubForTests } from '@/test/support/skill-fixtures';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { whyNotPublic } from './public-url';

const stub = await startProviderStubForTests();
const files = await createFilesForTests();

describe('scrape', () => {
  it('returns only the requested formats, and the screenshot as an asset', async () => {
    const { output, usage } = await runSkill(
      tool,
      'scrape',
      { url: 'https://example.com/', formats: ['markdown', 'screenshot', 'markdown'], wait_ms: 500 },
      { files, provider: stub.client('firecrawl') },
    );
    expect(output).toMatchObject({
      title: 'Example Domain',
      status_code: 200,
      html: null,
      links: null,
      truncated: false,
    });
    expect(output.markdown).toContain('# Example Domain');
    expect(output.screenshot).toMatchObject({ filename: 'screenshot.png', content_type: 'image/png' });
    expect((await files.readBytes(output.screenshot.asset_id)).subarray(1, 4).toString()).toBe('PNG');
    expect(usage).toEqual({ credits: 1 });
  });

  it('uses no more expensive proxy and no more pages of a PDF than quoted', async () => {
    const request = { url: 'https://example.com/a.pdf', max_pdf_pages: 3 };
    await runSkill(tool, 'scrape', request, { files, provider: stub.client('firecrawl') });
    const sent = JSON.parse(stub.received.at(-1)?.body.toString() ?? '{}');
    expect(sent).toMatchObject({ proxy: 'basic', parsers: [{ type: 'pdf', maxPages: 3 }] });
    const { input, price } = findSkill(tool, 'scrape');
    expect(price.quote(input.parse(request)).providerCost).toBe(4_000n);
  });

  it.each([
    'http://localhost/',
    'http://localhost./',
    'http://printer/',
    'http://router.local/',
    'http://db.internal:5432/',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'http://8.8.8.8/',
    'https://user:secret@example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'example.com',
    '',
  ])('does not pass on %s', (url) => {
    expect(whyNotPublic(url)).toMatch(/^[A-Z0-9a-z].*\.$/);
    expect(findSkill(tool, 'scrape').input.safeParse({ url }).success).toBe(false);
  });

  it.each(['https://example.com', 'http://sub.example.co.uk:8080/a?b#c', 'https://bücher.de/'])(
    'sends on %s',
    (url) => {
      expect(whyNotPublic(url)).toBeNull();
    },
  );
});
