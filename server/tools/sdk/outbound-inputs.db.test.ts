import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { type Harness, startHarness } from '@/test/support/harness';
import { createTestBrowser, prepareTestBrowser } from '@/test/support/test-browser';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { createOutboundFetch } from '../../platform/ports/outbound';
import { OutboundGuard } from '../../platform/ports/outbound-guard';
import { tools } from '../registry';

/**
 * Every tool input with a URL that is then requested. Add new ones here; all are attacked below.
 */
const ADDRESSES = [
  'chart.render data',
  'data.convert file',
  'data.profile file',
  'data.query files.0.file',
  'data.validate file',
  'email.send attachments.0',
  'image.compose image',
  'image.compose layers.0.image',
  'image.convert image',
  'image.inspect image',
  'image.resize image',
  'media.extract_audio file',
  'media.thumbnail file',
  'media.transcode file',
  'pdf.extract_text file',
  'pdf.merge files.0.file',
  'pdf.render_pages file',
  'pdf.split file',
  'scrape.scrape url',
  'screenshot.capture url',
  'screenshot.page_to_pdf url',
  'site-crawler.check_links url',
  'site-crawler.crawl url',
  'site-crawler.sitemap url',
  'transcription.transcribe file',
  'web-reader.fetch url',
  'web-reader.metadata url',
  'web-reader.read url',
];
/** Texts that may contain URLs. */
const TEXTS: [field: string, around: (address: string) => string][] = [
  ['document.markdown_to_pdf markdown', (address) => `![x](${address})`],
  ['document.markdown_to_docx markdown', (address) => `![x](${address})`],
  ['screenshot.capture html', (address) => `<img src="${address}"><iframe src="${address}"></iframe>`],
  ['screenshot.page_to_pdf html', (address) => `<link rel="stylesheet" href="${address}">`],
];

let harness: Harness;
let key = '';
let canary: FakeSite;
let redirector: FakeSite;
let browser: ReturnType<typeof createTestBrowser> | undefined;
const hasBrowser = !('missing' in prepareTestBrowser());
beforeAll(async () => {
  canary = await startFakeSite((_, response) => void response.end('secret'));
  redirector = await startFakeSite(
    (_, response) => void response.writeHead(302, { location: `${canary.origin}/` }).end(),
  );
  const guard = new OutboundGuard({
    webPorts: [80, 443, canary.port],
    allow: [{ host: '127.0.0.1', port: redirector.port }],
  });
  if (hasBrowser) browser = createTestBrowser(guard);
  harness = await startHarness({
    role: 'web',
    env: {
      ...UNLIMITED_RATES,
      FFMPEG_PATH: process.execPath,
    },
    // A program missing on this machine does not prevent the test.
    tools: tools.map((tool) => ({ ...tool, findEngine: undefined })),
    ports: { outbound: createOutboundFetch({ guard }), ...(browser && { browser }) },
  });
  ({ key } = await harness.person(1_000_000_000n));
});
afterAll(async () => {
  await harness?.close();
  browser?.close();
  await Promise.all([canary.close(), redirector.close()]);
});

it('are complete: no tool accepts a URL that is not attacked here @C8', () => {
  const found = tools.flatMap((tool) =>
    tool.skills.flatMap((skill) => {
      const schema = z.toJSONSchema(skill.input, { io: 'input', unrepresentable: 'any' });
      return addressesIn(schema as Node).map((path) => `${tool.name}.${skill.name} ${path}`);
    }),
  );
  expect([...new Set(found)].sort()).toEqual(ADDRESSES);
});

describe('a URL of a private address, passed to', () => {
  it.each(ADDRESSES)('%s, is refused without a connection @C8', { timeout: 120_000 }, async (field) => {
    if (field.startsWith('screenshot.') && !hasBrowser) return;
    for (const address of addressesFor(field)) {
      const answer = await call(field, address);
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
      expect(answer.text).toMatch(getRefusalPattern(field));
    }
    expect(canary.connections()).toBe(0);
  });

  it.each(TEXTS)('%s, is not followed @C8', { timeout: 120_000 }, async (field, around) => {
    if (field.startsWith('screenshot.') && !hasBrowser) return;
    for (const address of addressesFor(field)) await call(field, around(address));
    expect(canary.connections()).toBe(0);
  });
});

/** A browser draws slowly; ports/browser.test.ts has what its proxy refuses. */
function addressesFor(field: string): string[] {
  return field.startsWith('screenshot.') ? addresses().slice(-1) : addresses();
}

/** Firecrawl resolves names in its own network, so we only refuse URLs of machines. */
function getRefusalPattern(field: string): RegExp {
  if (field.startsWith('scrape.')) return /must use a host name, not an IP|public web|not on the public/i;
  return /not on the public internet/;
}

function addresses(): string[] {
  const { port } = canary;
  return [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/a.csv`,
    `http://[::ffff:7f00:1]:${port}/`,
    `http://0x7f.1:${port}/`,
    `${redirector.origin}/`,
  ];
}

/** Calls the first example of a skill, with this value in one field. */
async function call(field: string, value: string) {
  const [id = '', path = ''] = field.split(' ');
  const [tool, name] = id.split('.');
  const skill = tools.find((each) => each.name === tool)?.skills.find((each) => each.name === name);
  const input = structuredClone(skill?.examples[0]?.input) as Record<string, unknown>;
  // Removes the alternative source, so that the URL is used.
  if (field === 'data.validate file') delete input.data;
  if (tool === 'screenshot') for (const other of ['url', 'html']) delete input[other];
  if (field === 'image.compose image') delete input.canvas;
  if (field === 'image.compose layers.0.image') delete (input.layers as Record<string, unknown>[])[0]?.text;
  setAt(input, path.split('.'), value);
  const headers = Object.fromEntries(
    ['openai', 'anthropic', 'resend', 'firecrawl', 'deepgram'].map((slot) => [
      `x-provider-key-${slot}`,
      'sk-test-0123456789abcdef',
    ]),
  );
  return await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool, skill: name, input },
    headers,
  });
}

function setAt(target: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[first] = value;
  else {
    target[first] ??= rest[0] === '0' ? [] : {};
    setAt(target[first] as Record<string, unknown>, rest, value);
  }
}

interface Node {
  type?: string;
  format?: string;
  properties?: Record<string, Node>;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
  allOf?: Node[];
}

/** Finds the URL fields of a schema, by format or by name. */
function addressesIn(node: Node, path: string[] = []): string[] {
  const isNamed = /(^|_)(url|uri|link|href|src|address|endpoint|webhook|callback)s?$/i.test(
    path.at(-1) ?? '',
  );
  if (node.format?.startsWith('uri') || (isNamed && node.type === 'string')) return [path.join('.')];
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([name, each]) => addressesIn(each, [...path, name])),
    ...(node.items ? addressesIn(node.items, [...path, '0']) : []),
    ...[node.anyOf, node.oneOf, node.allOf].flatMap((list) =>
      (list ?? []).flatMap((each) => addressesIn(each, path)),
    ),
  ];
}
