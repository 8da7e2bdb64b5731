import type { SkillServices } from './skill-context';

/** What an attempt gets where there is nothing to be had: for tests of skills that only compute. */
export function noServices(given: Partial<SkillServices> = {}): SkillServices {
  const refuse = () => Promise.reject(new Error('This test has no such service'));
  return {
    fetch: refuse,
    provider: { slot: 'none', isOwn: false, fetch: refuse },
    files: { open: refuse, scratch: refuse, ensureRoom: refuse, save: refuse },
    checkpoint: { load: async () => undefined, save: async () => undefined },
    browser: { render: refuse },
    ...given,
  };
}
