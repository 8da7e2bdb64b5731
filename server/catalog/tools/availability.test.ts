import { describe, expect, it } from 'vitest';
import { createProbe } from '@/test/support/probe-tool';
import { type AnySkill, defineTool } from '../../tools/sdk/define-tool';
import { Engines } from '../../tools/sdk/engines';
import { ProviderRegistry } from '../credentials/provider-registry';
import { getAvailability } from './availability';

const { tool } = createProbe();
const [base] = tool.skills as [AnySkill];
const findEngine = async () => ({ reason: 'No engine.', fix: 'Install it.' });
const SKILLS = {
  ready: base,
  outage: { ...base, findEngine },
  'own key': { ...base, requirements: ['openai'] },
  'platform key': { ...base, requirements: ['openai', 'brave'] },
  'platform key lacks': { ...base, requirements: ['brave'], platformKeyNeeds: { findEngine } },
} satisfies Record<string, AnySkill>;
const settings = { apiKey: null, baseUrl: 'http://provider.test' };
const providers = new Proxy(
  {},
  { get: (_, name) => (name === 'brave' ? { ...settings, apiKey: 'key' } : settings) },
);
const slots = new ProviderRegistry({ providers } as ConstructorParameters<typeof ProviderRegistry>[0]);

function determine(names: readonly (keyof typeof SKILLS)[], off: string | null = null) {
  const switches = { findDisabledReason: () => off } as unknown as Parameters<
    typeof getAvailability
  >[0]['switches'];
  const skills = names.map((name, at) => ({ ...SKILLS[name], name: `skill_${at}` }) as AnySkill);
  return getAvailability({ engines: new Engines(60_000), slots, switches }, defineTool({ ...tool, skills }));
}

describe('getAvailability', () => {
  it.each<[keyof typeof SKILLS, object]>([
    ['ready', { state: 'ready', reason: null, keys: [] }],
    ['outage', { state: 'unavailable', reason: 'No engine.', fix: 'Install it.', keys: [] }],
    ['own key', { state: 'needs_provider_key', fix: 'Set OPENAI_API_KEY.', keys: [{ name: 'openai' }] }],
    ['platform key', { state: 'ready' }],
    ['platform key lacks', { state: 'needs_provider_key', reason: 'No engine.', keys: [{ name: 'brave' }] }],
  ])('of a skill: %s', async (name, expected) => {
    const { tool: whole, skills } = await determine([name]);
    expect(whole).toMatchObject(expected);
    expect([...skills.values()]).toMatchObject([expected]);
  });

  it('of a tool is the best of its skills', async () => {
    expect((await determine(['outage', 'own key', 'ready'])).tool).toMatchObject({
      state: 'ready',
      keys: [],
    });
    const { tool: whole } = await determine(['outage', 'own key', 'platform key lacks']);
    expect(whole).toMatchObject({
      state: 'needs_provider_key',
      keys: [{ name: 'openai' }, { name: 'brave' }],
    });
    expect((await determine(['ready'], 'Switched off.')).tool).toMatchObject({
      state: 'unavailable',
      reason: 'Switched off.',
    });
  });
});
