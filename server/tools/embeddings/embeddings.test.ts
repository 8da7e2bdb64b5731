import { describe, expect, it } from 'vitest';
import { createFilesForTests, startProviderStubForTests } from '@/test/support/skill-fixtures';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const stub = await startProviderStubForTests();
const files = await createFilesForTests();

const embed = (wish: object) => runSkill(tool, 'embed', wish, { files, provider: stub.client('openai') });
const texts = (count: number) => Array.from({ length: count }, (_, at) => `text ${at}`);

describe('embed', () => {
  it('returns the vectors in the order of the texts, although the provider reorders them', async () => {
    const { output } = await embed({ texts: texts(3), dimensions: 16 });
    expect(output).toMatchObject({ dimensions: 16, file: null, model: 'text-embedding-3-small' });
    for (const [at, vector] of output.embeddings.entries())
      for (const [index, value] of vector.entries()) expect(value).toBeCloseTo(Math.sin(at + index), 6);
  });

  it('returns many numbers as a file of JSON Lines', async () => {
    const { output } = await embed({ texts: texts(40), dimensions: 1_024 });
    expect(output.embeddings).toBeNull();
    expect(output.file).toMatchObject({ filename: 'embeddings.jsonl', content_type: 'application/jsonl' });
    const lines = (await files.readBytes(output.file.asset_id)).toString().trimEnd().split('\n');
    expect(lines).toHaveLength(40);
    const last = JSON.parse(lines[39] ?? '[]');
    expect(last).toHaveLength(1_024);
    expect(last[5]).toBeCloseTo(Math.sin(39 + 5), 6);
  });

  it('splits many numbers into several requests, and counts all of them', async () => {
    const before = stub.received.length;
    const { output } = await embed({ texts: texts(100), model: 'text-embedding-3-large' });
    const parts = stub.received.slice(before).map(({ body }) => JSON.parse(body.toString()).input);
    expect(parts.map(({ length }) => length)).toEqual([42, 42, 16]);
    expect(parts.flat()).toEqual(texts(100));
    const lines = (await files.readBytes(output.file.asset_id)).toString().trimEnd().split('\n');
    expect(lines).toHaveLength(100);
    expect(output.usage.input_tokens).toBe(
      parts.reduce((sum, part) => sum + Math.ceil(part.join('').length / 4), 0),
    );
  });

  it('costs what the provider counts', async () => {
    const { input, price } = findSkill(tool, 'embed');
    const asked = { texts: ['x'.repeat(4_000)] };
    const { usage } = await embed(asked);
    expect(price.settle(input.parse(asked), usage).providerCost).toBe(20n);
  });

  it('refuses more dimensions than the model has, and too many texts', () => {
    const { input } = findSkill(tool, 'embed');
    expect(input.safeParse({ texts: ['x'], dimensions: 2_000 }).error?.issues[0]?.message).toMatch(
      /at most 1,536/,
    );
    expect(input.safeParse({ texts: texts(257) }).success).toBe(false);
    expect(input.safeParse({ texts: Array.from({ length: 21 }, () => 'x'.repeat(30_000)) }).success).toBe(
      false,
    );
  });
});
