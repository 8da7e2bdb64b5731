import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { shortenTimers, skipPauses } from '@/test/support/control-timers';
import { createFilesForTests, startProviderStubForTests } from '@/test/support/skill-fixtures';
import { createTestServer } from '@/test/support/test-server';
import { SkillError } from '../../core/errors/skill-error';
import { PROVIDER_NAMES, PROVIDERS, type ProviderName } from '../../platform/settings/providers';
import { tool as email } from '../email';
import { tool as imageGeneration } from '../image-generation';
import { tool as languageModel } from '../language-model';
import { tool as scrape } from '../scrape';
import { tool as speech } from '../speech';
import { tool as webSearch } from '../web-search';
import type { ToolDefinition } from './define-tool';
import { createProviderClient } from './provider-client';
import { quoteProvider, readRefusal } from './provider-refusals';
import { requestFile, requestJson } from './provider-request';
import { runSkill } from './skill-harness';

const stub = await startProviderStubForTests();
const files = await createFilesForTests();
/** The waits of the gateway in a test; the clock does not advance. */
let pauses: number[] = [];
beforeEach(() => {
  pauses = skipPauses();
});

const question = { messages: [{ role: 'user', content: 'Hello?' }] };
const mail = { from: 'a@example.com', to: ['b@example.com'], subject: 'Hi', text: 'Hello' };
/** A call through each of the ten providers. */
const calls: Record<ProviderName, [ToolDefinition, string, unknown]> = {
  openai: [languageModel, 'chat', question],
  anthropic: [languageModel, 'chat', question],
  tavily: [webSearch, 'search', { query: 'x' }],
  brave: [webSearch, 'search', { query: 'x' }],
  exa: [webSearch, 'search', { query: 'x' }],
  fal: [imageGeneration, 'generate', { prompt: 'x' }],
  replicate: [imageGeneration, 'generate', { prompt: 'x' }],
  elevenlabs: [speech, 'text_to_speech', { text: 'x' }],
  firecrawl: [scrape, 'scrape', { url: 'https://example.com/' }],
  resend: [email, 'send', mail],
};

/** Returns the error of a failed call; throws if it succeeds. */
async function getErrorMessage(slot: ProviderName, behaviour: string, isByok = true): Promise<string> {
  const [tool, skill, input] = calls[slot];
  const key = behaviour === 'wrong' ? `sk-live-wrong-${slot}-0123456789` : stub.key(slot, behaviour);
  const { authorize } = PROVIDERS[slot];
  const provider = createProviderClient({ slot, authorize, baseUrl: stub.baseUrl(slot), key, isByok, fetch });
  const thrown = await runSkill(tool, skill, input, { files, provider }).then(
    () => new Error('It did not fail'),
    (error: unknown) => error,
  );
  if (!(thrown instanceof SkillError)) throw thrown;
  expect(thrown.message).not.toContain(key);
  expect(thrown.message).not.toMatch(/sk-live|app\.py|<html/);
  expect(thrown.message).toContain(PROVIDERS[slot].displayName);
  return thrown.message;
}

describe('when a provider fails, callers of every tool get a message', () => {
  const failures: [string, RegExp][] = [
    ['wrong', /rejected your API key \(401\)/],
    ['402', /account of your API key is out of credit/],
    ['500', /failed \(500\)/],
    ['garbage', /sent a response that this version of the gateway does not support/],
    ['shape', /sent a response that this version of the gateway does not support/],
    ['cut', /The connection to .* closed before the response was complete/],
    ['429', /is rate limiting requests \(429\)\. Try again in 1 seconds/],
  ];
  it.each(failures)('%s', async (behaviour, words) => {
    const messages = await Promise.all(PROVIDER_NAMES.map((slot) => getErrorMessage(slot, behaviour)));
    for (const message of messages) expect(message).toMatch(words);
  });

  it('that says which key was rejected or is out of credit', async () => {
    expect(await getErrorMessage('openai', 'wrong', false)).toBe(
      'OpenAI rejected the API key of this gateway (401). Ask the operator of this gateway, or bring your own key.',
    );
    expect(await getErrorMessage('exa', '402', false)).toMatch(/^This gateway is out of credit at Exa\./);
  });

  it('that says an email or a picture may have been created', async () => {
    for (const slot of ['resend', 'fal', 'replicate'] as const)
      expect(await getErrorMessage(slot, 'cut')).toMatch(/Check at the provider before you try again/);
    expect(await getErrorMessage('tavily', 'cut')).toMatch(/Try again\.$/);
  });
});

/** Returns the number of requests to the provider in a call. */
async function countRequests(slot: ProviderName, behaviour: string): Promise<number> {
  const before = stub.received.length;
  const [tool, skill, input] = calls[slot];
  await runSkill(tool, skill, input, { files, provider: stub.client(slot, behaviour) }).catch(
    () => undefined,
  );
  return stub.received.slice(before).filter(({ method }) => method === 'POST').length;
}

describe('a request', () => {
  it('is repeated once after a failure of the provider @E12', async () => {
    expect(await countRequests('openai', '500')).toBe(2);
    expect(await countRequests('anthropic', '500-once')).toBe(2);
  });

  it('for a picture is never repeated after a failure', async () => {
    expect(await countRequests('fal', '500')).toBe(1);
    expect(await countRequests('replicate', '500')).toBe(1);
  });

  it('for an email is repeated with the same idempotency key', async () => {
    const before = stub.received.length;
    expect(await countRequests('resend', '500-once')).toBe(2);
    const keys = stub.received.slice(before).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });

  it('waits as long as Retry-After says, at most twice @E12', async () => {
    expect(await countRequests('brave', '429-once')).toBe(0);
    expect(pauses.splice(0)).toEqual([1_000]);
    expect(await countRequests('tavily', '429')).toBe(3);
    expect(pauses).toEqual([1_000, 1_000]);
  });

  const createRequester = (
    slot: ProviderName,
    behaviour?: string,
    signal = new AbortController().signal,
  ) => ({
    provider: stub.client(slot, behaviour),
    signal,
    log: () => undefined,
  });
  const search = { path: '/search', json: {}, repeatable: true, timeLimitMs: 300 };

  it('ends at its time limit, with a clear message @A5', async () => {
    shortenTimers(20_000);
    const asking = requestJson(
      createRequester('tavily', 'slow'),
      { ...search, timeLimitMs: 20_000 },
      z.unknown(),
    );
    await expect(asking).rejects.toThrow('Tavily did not respond within 20 seconds. Try again.');
  });

  it('does not wait beyond its time limit @E12', async () => {
    const within = { ...search, timeLimitMs: 1_000 };
    await expect(requestJson(createRequester('tavily', '429'), within, z.unknown())).rejects.toThrow(
      'in 1 seconds',
    );
    expect(pauses).toEqual([]);
  });

  it('ends with the call, for the same reason', async () => {
    const stop = new AbortController();
    const asking = requestJson(
      createRequester('exa', 'slow', stop.signal),
      { ...search, timeLimitMs: 20_000 },
      z.unknown(),
    );
    setTimeout(() => stop.abort(new Error('cancelled')), 50);
    await expect(asking).rejects.toThrow('cancelled');
  });

  it('reads no more of a response than its limit @C12', async () => {
    await expect(
      requestJson(createRequester('openai', 'huge'), { ...search, timeLimitMs: 20_000 }, z.unknown()),
    ).rejects.toThrow('The response of OpenAI exceeds 2 MiB. Request less.');
    const path = await files.scratch('mp3');
    const file = { ...search, timeLimitMs: 20_000, maxBytes: 1024 * 1024, contentType: /^audio/ };
    await expect(requestFile(createRequester('elevenlabs', 'huge'), file, path)).rejects.toThrow(
      'exceeds 1 MiB',
    );
    expect((await readFile(path)).byteLength).toBeLessThanOrEqual(1024 * 1024);
  });

  it('fails if a response breaks off before it is saved', async () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new Error('cut')) });
    const response = async () => new Response(body, { headers: { 'content-type': 'audio/mpeg' } });
    const asking = {
      ...createRequester('elevenlabs'),
      provider: { slot: 'elevenlabs', isByok: true, fetch: response },
    };
    const file = { ...search, timeLimitMs: 20_000, maxBytes: 1024, contentType: /^audio/ };
    await expect(requestFile(asking, file, await files.scratch('mp3'))).rejects.toThrow('closed before');
  });

  it('does not parse a response of millions of values @C12', async () => {
    const many = async () => new Response(`[${Array(200_000).fill('1').join(',')}]`);
    const provider = { slot: 'openai', isByok: true, fetch: many };
    const asking = { provider, signal: new AbortController().signal, log: () => undefined };
    const parse = vi.spyOn(JSON, 'parse');
    const end = requestJson(asking, { ...search, timeLimitMs: 20_000 }, z.array(z.number()));
    await expect(end).rejects.toThrow('does not support');
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('reads only the beginning of an endless error response', async () => {
    const server = createTestServer((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      const pour = () => {
        while (response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', pour);
      pour();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { authorize } = PROVIDERS.exa;
    const provider = createProviderClient({
      slot: 'exa',
      authorize,
      baseUrl,
      key: 'key',
      isByok: true,
      fetch,
    });
    const asking = requestJson(
      { ...createRequester('exa'), provider },
      { ...search, timeLimitMs: 20_000 },
      z.unknown(),
    );
    await expect(asking).rejects.toThrow('Exa rejected the request (400).');
    server.closeAllConnections();
    server.close();
  });

  it('carries the key only in the header of its provider @C14', async () => {
    const before = stub.received.length;
    for (const slot of PROVIDER_NAMES) await countRequests(slot, 'ok');
    for (const { slot, headers, path, body } of stub.received.slice(before)) {
      const key = stub.key(slot as ProviderName);
      const carriers = Object.entries(headers).filter(([, value]) => String(value).includes(key));
      const names = Object.keys(PROVIDERS[slot as ProviderName].authorize(key)).map((name) =>
        name.toLowerCase(),
      );
      expect(carriers.map(([name]) => name)).toEqual(names.slice(0, 1));
      expect(path + body.toString('latin1')).not.toContain(key);
    }
  });
});

describe('the message of a provider', () => {
  it.each([
    ['{"error":{"message":"Bad model"}}', 'Bad model'],
    ['{"detail":[{"msg":"Too long"}]}', 'Too long'],
    ['{"detail":{"status":"x","message":"No such voice"}}', 'No such voice'],
    ['{"error":"Incorrect key sk-proj-abc123def"}', 'Incorrect key …'],
    ['{"error":"Authorization: Bearer abcdef was bad"}', 'Authorization: Bearer … was bad'],
    ['{"error":"token AKIA0123456789ABCDEF here"}', 'token … here'],
    ['{"error":"one\\u0000\\ntwo\\u2028three"}', 'one two three'],
    ['{"error":"in\u202evisible"}', 'invisible'],
    ['<html>oops</html>', ''],
    ['{"hello":1}', ''],
  ])('of %s quotes %s', (body, words) => {
    expect(quoteProvider('Exa failed', body)).toBe(words ? `Exa failed: ${words}` : 'Exa failed.');
  });

  it('is quoted in a short line', () => {
    const message = quoteProvider('Exa failed', JSON.stringify({ error: 'word '.repeat(1000) }));
    expect(message.length).toBeLessThanOrEqual('Exa failed: '.length + 200);
  });

  it.each([
    [429, '{"error":{"code":"insufficient_quota","message":"You exceeded your quota"}}'],
    [400, '{"error":{"message":"Your credit balance is too low to access the API."}}'],
    [403, '{"detail":"User is locked. Reason: Exhausted balance."}'],
    [401, '{"detail":{"status":"quota_exceeded"}}'],
    [432, '{}'],
  ])('with %i and %s means out of credit and is not repeated', (status, body) => {
    const refusal = readRefusal(stub.client('openai'), new Response(null, { status }), body);
    expect(refusal.kind).toBe('final');
    expect(refusal.error.message).toMatch(/out of credit/);
  });

  it('accepts a date in Retry-After', () => {
    vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z'), toFake: ['Date'] });
    const soon = new Date('2026-03-01T12:01:30Z').toUTCString();
    const limited = new Response(null, { status: 429, headers: { 'retry-after': soon } });
    expect(readRefusal(stub.client('exa'), limited, '').retryAfterSeconds).toBe(90);
    vi.useRealTimers();
  });
});
