import { afterAll, beforeAll, expect, it } from 'vitest';
import { isSkillError } from '@/server/core/errors/skill-error';
import { createOutboundFetch } from '@/server/platform/ports/outbound';
import { OutboundGuard } from '@/server/platform/ports/outbound-guard';
import { tool as imageTool } from '@/server/tools/image/index';
import { tool as pdfTool } from '@/server/tools/pdf/index';
import type { ToolDefinition } from '@/server/tools/sdk/define-tool';
import { runSkill } from '@/server/tools/sdk/skill-harness';
import { tool as siteCrawlerTool } from '@/server/tools/site-crawler/index';
import { tool as webReaderTool } from '@/server/tools/web-reader/index';
import { type RawSite, startRawSite } from '../support/raw-site';
import { createTestFiles, type TestFiles } from '../support/test-files';
import { watchUncaught } from '../support/uncaught';
import { createAnswer, randomFrom } from '../support/upstream-fuzz';

/**
 * Long run: `UPSTREAM_FUZZ_CASES=100000 npx vitest run test/unit/upstream-fuzz`.
 * UPSTREAM_FUZZ_SEED repeats a run.
 */
const CASES = Number(process.env.UPSTREAM_FUZZ_CASES ?? 120);
const SEED = Number(process.env.UPSTREAM_FUZZ_SEED ?? 1);
const AT_ONCE = 8;
/** Longer than any of these skills waits after the server has closed the connection. */
const CALL_MS = 60_000;

const SKILLS: [ToolDefinition, string, (url: string) => unknown][] = [
  [webReaderTool, 'fetch', (url) => ({ url })],
  [webReaderTool, 'read', (url) => ({ url })],
  [webReaderTool, 'metadata', (url) => ({ url })],
  [siteCrawlerTool, 'sitemap', (url) => ({ url })],
  [siteCrawlerTool, 'check_links', (url) => ({ url })],
  [siteCrawlerTool, 'crawl', (url) => ({ url, max_pages: 3 })],
  [imageTool, 'inspect', (url) => ({ image: url })],
  [pdfTool, 'extract_text', (url) => ({ file: url })],
];

const random = randomFrom(SEED);
let site: RawSite;
let files: TestFiles;
let outbound: ReturnType<typeof createOutboundFetch>;

beforeAll(async () => {
  site = await startRawSite((socket, head) => createAnswer(random)(socket, head));
  const guard = new OutboundGuard({ allow: [{ host: '127.0.0.1', port: site.port }] });
  outbound = createOutboundFetch({ guard, limits: { idleMs: 5_000, timeoutMs: 20_000 } });
  files = await createTestFiles(outbound as typeof fetch);
});
afterAll(async () => {
  await files.remove();
  await site.close();
});

it(`every skill that fetches returns or fails properly on ${CASES} hostile responses @F15`, {
  timeout: 120_000 + CASES * 1_000,
}, async () => {
  const uncaught = watchUncaught();
  const improper: string[] = [];
  let started = 0;
  const runNext = async () => {
    for (let at = started++; at < CASES; at = started++) {
      const [tool, skill, input] = SKILLS[at % SKILLS.length] as (typeof SKILLS)[number];
      try {
        const signal = AbortSignal.timeout(CALL_MS);
        await runSkill(tool, skill, input(`${site.origin}/page`), { fetch: outbound, files, signal });
      } catch (error) {
        if (!isSkillError(error)) improper.push(`${at} ${skill}: ${(error as Error)?.stack ?? error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  expect(uncaught.errors).toEqual([]);
  expect(improper).toEqual([]);
  uncaught.stop();
});
