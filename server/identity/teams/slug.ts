import { MAX_SLUG_LENGTH, MIN_SLUG_LENGTH } from './limits';

/** Words with another meaning as `billing` or in a URL, now or possibly later. */
const RESERVED = new Set(
  `account accounts admin administrator all anonymous api auth balance billing claim console dashboard default docs
  everyone gateway guest help inbox internal invitation invitations join keys machine me new nobody none null operator
  owner payments personal platform provisional public root self settings sign-in slug status stripe support system team
  teams tool tool-gateway tools undefined user users you`.split(/\s+/),
);

/** Returns why a slug is not allowed and how to fix it; null if it is. */
export function slugProblem(slug: string): string | null {
  if (slug.length < MIN_SLUG_LENGTH) return `Write at least ${MIN_SLUG_LENGTH} characters.`;
  if (slug.length > MAX_SLUG_LENGTH) return `Write at most ${MAX_SLUG_LENGTH} characters.`;
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(slug))
    return 'Use lower-case letters, digits and hyphens; begin and end with a letter or digit.';
  return RESERVED.has(slug) ? `“${slug}” is reserved: choose another.` : null;
}

/** Derives a slug from a team's name. It may be too short, reserved or taken. */
export function suggestSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, MAX_SLUG_LENGTH).replace(/-+$/, '');
}
