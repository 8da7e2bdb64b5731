import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callSkill, createList, findSkill, heaviestInputs } from '@/test/support/heaviest-inputs';
import { measureLeastBlock } from '@/test/support/measure-block';
import { type StubProcess, spawnProviderStub } from '@/test/support/provider-stub/stub-process';
import { createExampleBrowser } from '@/test/support/test-browser';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { exampleSite } from '../../tools/sdk/example-site';
import { AttemptStop } from './attempt-stop';

// "One call never delays another by more than 50 ms": runs the heaviest inputs of each skill and
// measures how long each blocks the main thread. JSON.parse is tested in http/scan-json.test.ts.

const MAX_BLOCK_MS = 50;
const TRIES = 5;

const browser = createExampleBrowser(exampleSite);
let files: TestFiles;
let stub: StubProcess;
beforeAll(async () => {
  files = await createTestFiles();
  stub = await spawnProviderStub();
});
afterAll(async () => {
  browser.close();
  await stub.close();
  await files.remove();
});

describe('the thread of the gateway', () => {
  it.each(heaviestInputs)('is never blocked by %s: %s', async (id, _, input) => {
    const skill = findSkill(id);
    const options = { services: { files, browser }, provider: stub.client };
    const block = await measureLeastBlock(MAX_BLOCK_MS, TRIES, () => callSkill(skill, input, options));
    expect(block).toBeLessThan(MAX_BLOCK_MS);
  });
});

describe('five calls of one key that compute up to their time limit', () => {
  it('do not delay the calls of other accounts', async () => {
    const stop = new AttemptStop();
    const endless = { expression: 'f(n) = n < 2 ? n : f(n - 1) + f(n - 2); f(60)' };
    const burning = createList(5, () =>
      callSkill(findSkill('math.evaluate'), endless, { stop, accountId: 'busy' }),
    );
    const firstOfFive = Promise.race(burning).then(() => 'one of the five');
    const others: [string, unknown][] = [
      ['diagnostics.echo', { message: 'hello' }],
      ['math.evaluate', { expression: '1 + 1' }],
      ['text.stats', { text: 'a short text' }],
      ['codes.qr', { content: 'hello' }],
    ];
    for (const [id, input] of others) {
      const answer = callSkill(findSkill(id), input);
      expect(await Promise.race([firstOfFive, answer.then(() => 'the other')]), id).toBe('the other');
      expect(await answer, id).toMatchObject({ ok: true });
    }
    stop.stop(new Error('stop'));
    for (const attempt of await Promise.all(burning)) expect(attempt).toMatchObject({ ok: false });
  });
});
