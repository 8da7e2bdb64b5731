export const MIN_SLUG_LENGTH = 3;
export const MAX_SLUG_LENGTH = 40;

/** Words that mean something else as `billing`, or in an address, now or likely soon. */
const RESERVED = new Set(
  `account accounts admin administrator all anonymous api auth balance billing claim console dashboard default docs
  everyone gateway guest help inbox internal invitation invitations join keys machine me new nobody none null operator
  owner payments personal platform provisional public root self settings sign-in slug status stripe support system team
  teams tool tool-gateway tools undefined user users you`.split(/\s+/),
);

/** What is wrong with a team's slug, and how to mend it; null where nothing is. */
export function slugProblem(slug: string): string | null {
  if (slug.length < MIN_SLUG_LENGTH) return `Write at least ${MIN_SLUG_LENGTH} characters.`;
  if (slug.length > MAX_SLUG_LENGTH) return `Write at most ${MAX_SLUG_LENGTH} characters.`;
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(slug))
    return 'Use lower-case letters, digits and hyphens; begin and end with a letter or digit.';
  return RESERVED.has(slug) ? `“${slug}” is reserved: choose another.` : null;
}

/** A slug to begin with, made from a team's name; it may be too short, reserved or taken. */
export function suggestSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase();
  const words = plain.match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, MAX_SLUG_LENGTH).replace(/-+$/, '');
}
