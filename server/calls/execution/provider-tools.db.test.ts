import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { type ProviderStub, startProviderStub } from '@/test/support/provider-stub/stub';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { reconcile } from '../../money/reconcile/reconcile';
import { findMissingFfmpeg } from '../../tools/media/run-ffmpeg';
import { tools } from '../../tools/registry';

// Provider tools as a client sees them: a complete gateway with its guarded fetch, credentials,
// money, assets and jobs; only the providers are stubs.

const providerTools = tools.filter(({ skills }) => skills.some(({ requirements }) => requirements?.length));

let stub: ProviderStub;
let harness: Harness;
beforeAll(async () => {
  stub = await startProviderStub();
  harness = await startHarness({
    role: 'web',
    tools: providerTools,
    env: {
      ...stub.env(),
      OUTBOUND_ALLOW: new URL(stub.baseUrl('openai')).host,
      ...UNLIMITED_RATES,
    },
  });
});
afterAll(async () => {
  await harness.close();
  await stub.close();
});

const call = (
  key: string,
  tool: string,
  skill: string,
  input: unknown,
  headers: Record<string, string> = {},
) => harness.request('POST', '/v1/tools/call', { key, json: { tool, skill, input }, headers });

async function settled(key: string, pending: Awaited<ReturnType<typeof call>>) {
  const path = new URL(pending.body.poll_url).pathname;
  let job = await harness.request('GET', path, { key });
  while (['pending', 'running'].includes(job.body.status)) job = await harness.request('GET', path, { key });
  return job;
}

/** The result of a call, also if it became a job. */
async function ended(key: string, answer: Awaited<ReturnType<typeof call>>) {
  if (answer.status !== 202) return answer.body;
  const job = await settled(key, answer);
  expect(job.body).toMatchObject({ status: 'completed' });
  return job.body.result;
}

const hello = { messages: [{ role: 'user', content: 'Hello?' }] };
const examples = providerTools.flatMap((tool) =>
  tool.skills.flatMap((skill) =>
    skill.examples.map(({ description, input }) => ({
      title: `${tool.name}.${skill.name}: ${description}`,
      tool,
      skill,
      input,
    })),
  ),
);

describe('through a whole gateway', () => {
  it.for(examples)('$title', async ({ tool, skill, input }, { skip }) => {
    // With the platform key a recording is measured first; with BYOK it is not.
    const missing = tool.name === 'transcription' ? await findMissingFfmpeg() : null;
    if (missing !== null) skip(missing.reason);
    const { key } = await harness.person(10_000_000n);
    const result = await ended(key, await call(key, tool.name, skill.name, input));
    expect(result).toMatchObject({ status: 'success', billed: true, meta: { byok: false } });
    skill.output.parse(result.output);
    const { cost, raw_cost, markup } = result.usage;
    expect(markup).toBe(0.0005);
    expect(raw_cost).toBeGreaterThan(0);
    expect(cost).toBeCloseTo(raw_cost + markup, 9);
    const quote = skill.price.quote(skill.input.parse(input));
    expect(raw_cost).toBeLessThanOrEqual(Number(quote.providerCost) / 1e6);
  });

  it.each([
    ['speech', 'text_to_speech', { text: 'Hello' }],
    ['image-generation', 'generate', { prompt: 'A lighthouse' }],
    ['embeddings', 'embed', { texts: Array.from({ length: 40 }, (_, at) => `text ${at}`) }],
    ['scrape', 'scrape', { url: 'https://www.iana.org/', formats: ['screenshot'] }],
  ])('%s: the provider is not called if the account cannot store the file', async (tool, skill, input) => {
    const { key, accountId } = await harness.person(1_000_000n);
    const { db, settings } = harness.runtime;
    await db.execute(sql`
      insert into assets (id, account_id, filename, content_type, size_bytes, sha256, stored_at, blob_key, expires_at)
      values (${`asset_full_${accountId}`}, ${accountId}, 'f', 'text/plain', ${settings.assetQuotaMib * 1024 * 1024 - 10},
        'x', now(), 'x', now() + interval '1 day')`);
    const before = stub.received.length;
    const answer = await call(key, tool, skill, input);
    const failed = answer.status === 202 ? await settled(key, answer) : answer.body;
    expect(JSON.stringify(failed)).toContain('The file exceeds the storage quota');
    expect(stub.received.length).toBe(before);
  });

  it('scopes the idempotency key of an email to the account when the platform key sends it', async () => {
    const [ada, bob] = [await harness.person(1_000_000n), await harness.person(1_000_000n)];
    const mail = { from: 'a@example.com', to: ['b@example.com'], subject: 'Hi', text: 'Hello' };
    const nameSent = async (key: string, headers = {}) => {
      const sent = await call(key, 'email', 'send', { ...mail, idempotency_key: 'invoice-1' }, headers);
      expect(sent.status).toBe(200);
      return stub.received.at(-1)?.headers['idempotency-key'];
    };
    const first = await nameSent(ada.key);
    expect(await nameSent(ada.key)).toBe(first);
    // Otherwise the email of one account would count as a repeat of the other and not be sent.
    expect(await nameSent(bob.key)).not.toBe(first);
    expect(await nameSent(bob.key, { 'x-provider-key-resend': stub.key('resend') })).toBe('invoice-1');
  });

  it("costs 5 % with the caller's own key, and uses that key", async () => {
    const { key } = await harness.person(1_000_000n);
    const own = stub.key('brave', '500-once');
    const answer = await call(
      key,
      'web-search',
      'search',
      { query: 'x', provider: 'brave' },
      {
        'x-provider-key-brave': own,
      },
    );
    // 5 % of $0.0055
    expect(answer.body).toMatchObject({ usage: { cost: 0.000275, raw_cost: 0 }, meta: { byok: true } });
    expect(stub.received.slice(-2).map(({ headers }) => headers['x-subscription-token'])).toEqual([own, own]);
  });

  it('stores the output of a provider, readable by anyone who knows its id', async () => {
    const { key } = await harness.person(1_000_000n);
    const { output } = (await call(key, 'speech', 'text_to_speech', { text: 'Hello' })).body;
    const meta = await harness.request('GET', `/v1/assets/${output.audio.asset_id}/meta`);
    expect(meta.body).toMatchObject({
      tool: 'speech',
      size_bytes: output.audio.size_bytes,
      content_type: 'audio/mpeg',
    });
  });
});

describe('a call that fails at the provider @A5', () => {
  it.each([
    ['wrong', 'OpenAI rejected your API key (401)'],
    ['402', 'The OpenAI account of your API key is out of credit.'],
    ['429', 'OpenAI is rate limiting requests (429). Try again in 1 seconds.'],
    ['500', 'OpenAI failed (500).'],
    ['cut', 'OpenAI cannot be reached: '],
    ['garbage', 'OpenAI sent a response that'],
    ['shape', 'OpenAI sent a response that'],
  ])('with %s costs nothing, reports why, and never shows the key', async (behaviour, words) => {
    const { key } = await harness.person(1_000_000n);
    const own = behaviour === 'wrong' ? 'sk-wrong-0123456789abcdef' : stub.key('openai', behaviour);
    const answer = await call(key, 'language-model', 'chat', hello, { 'x-provider-key-openai': own });
    expect(answer).toMatchObject({ status: 502, body: { error: { code: 'HANDLER_ERROR', billed: false } } });
    expect(answer.body.error.message).toContain(words);
    expect(answer.text + harness.log.join('')).not.toContain(own);
    const balance = await harness.request('GET', '/v1/billing/balance', { key });
    expect(balance.body.available_usd).toBe(1);
  });

  it('never falls back to the platform key @A22', async () => {
    const { key } = await harness.person(1_000_000n);
    const before = stub.received.length;
    await call(key, 'language-model', 'chat', hello, {
      'x-provider-key-openai': 'sk-wrong-0123456789abcdef',
    });
    expect(stub.received.slice(before).map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-wrong-0123456789abcdef',
    ]);
  });
});

it.each(['fal', 'replicate'] as const)(
  'cancelling the job of an image cancels it at %s, and is free',
  async (provider) => {
    const { key } = await harness.person(1_000_000n);
    const before = stub.images.cancelled.length;
    const asked = stub.received.length;
    const input = { prompt: 'x [stub:never-done]', provider };
    const { body } = await call(key, 'image-generation', 'generate', input, { prefer: 'wait=0' });
    const job = () => harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
    const polls = () =>
      stub.received.slice(asked).filter(({ slot, method }) => slot === provider && method === 'GET');
    await expect.poll(() => polls().length, { timeout: 10_000 }).toBeGreaterThan(0);
    const cancelled = await harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key });
    expect(cancelled.body).toMatchObject({ cancelled: true });
    await expect.poll(() => stub.images.cancelled.length, { timeout: 10_000 }).toBe(before + 1);
    expect((await job()).body.status).toBe('cancelled');
    expect((await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd).toBe(1);
  },
);

it('the ledger balances after all tests', async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});
