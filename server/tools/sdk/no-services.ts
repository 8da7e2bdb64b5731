import type { SkillServices } from './skill-context';

/** Services that reject every request, for tests of skills that only compute. */
export function noServices(given: Partial<SkillServices> = {}): SkillServices {
  const refuse = () => Promise.reject(new Error('This test does not provide that service'));
  return {
    fetch: refuse,
    provider: { slot: 'none', isByok: false, fetch: refuse },
    files: { open: refuse, scratch: refuse, ensureRoom: refuse, save: refuse },
    checkpoint: { load: async () => undefined, save: async () => undefined },
    browser: { render: refuse },
    ...given,
  };
}
