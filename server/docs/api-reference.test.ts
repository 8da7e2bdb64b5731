import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeApi } from './api-reference';
import { searchGuides } from './search-guides';

const settings = { baseUrl: 'https://gateway.example.com' };

describe('the API reference', () => {
  it('has each operation of openapi.json in exactly one group, with the address of its page', async () => {
    const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
      await readFile('openapi.json', 'utf8'),
    );
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const { groups } = await describeApi(settings.baseUrl);
    const listed = groups.flatMap(({ href, operations }) => operations.map(({ id }) => `${href}#${id}`));
    expect(listed.map((href) => href.split('#')[1]).sort()).toEqual(ids.sort());
    expect(groups.flatMap(({ operations }) => operations.map(({ href }) => href))).toEqual(listed);
    expect(new Set(groups.map(({ slug }) => slug)).size).toBe(groups.length);
    // `schemas` is a page of its own.
    expect(groups.map(({ slug }) => slug)).not.toContain('schemas');
  });

  it('lists an error of every operation of a group once, and others at their operations', async () => {
    const { groups } = await describeApi(settings.baseUrl);
    const keys = groups.find(({ slug }) => slug === 'keys');
    const shared = keys?.errors.flatMap(({ codes }) => codes);
    expect(shared).toEqual(expect.arrayContaining(['AUTH_FAILED', 'RATE_LIMIT_EXCEEDED']));
    const own = keys?.operations.flatMap(({ errors }) => errors.flatMap(({ codes }) => codes));
    expect(own).toEqual(expect.arrayContaining(['IDEMPOTENCY_MISMATCH', 'NOT_FOUND']));
    expect(own?.filter((code) => shared?.includes(code))).toEqual([]);
    expect(keys?.operations.flatMap(({ responses }) => responses.map(({ status }) => status[0]))).toEqual(
      keys?.operations.map(() => '2'),
    );
    // A group with one operation has nothing to share.
    const reviews = groups.find(({ slug }) => slug === 'reviews');
    expect(reviews?.errors).toEqual([]);
    expect(reviews?.operations[0]?.errors.length).toBeGreaterThan(3);
  });

  it('names for each schema what it contains and what contains it', async () => {
    const { schemas } = await describeApi(settings.baseUrl);
    const skill = schemas.find(({ name }) => name === 'Skill');
    expect(skill?.uses.map(({ title }) => title)).toContain('Pricing');
    expect(skill?.usedBy.map(({ title }) => title)).toContain('Tool');
    const list = schemas.find(({ name }) => name === 'ToolList');
    expect(list?.usedBy.map(({ href }) => href)).toEqual(['/docs/api/tools#listTools']);
  });

  it.each(['createWebhook', 'post webhooks', 'Create a webhook endpoint'])('is found by %s', async (q) => {
    const { hits } = await searchGuides({ settings }, q);
    expect(hits.map(({ href }) => href)).toContain('/docs/api/webhooks#createWebhook');
  });
});
