/**
 * Control characters and all that shows nothing, such as direction marks and tag characters: models
 * read them, a person who approves a text does not. Joiners and emoji variants are part of words.
 */
const UNWANTED =
  /(?!\t|\n|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** Cleans untrusted text: no invisible characters, truncated at a character boundary. Pure. */
export function cleanText(text: unknown, maxChars: number): string {
  if (typeof text !== 'string') return '';
  const clean = text
    .slice(0, maxChars * 2 + 2)
    .replace(UNWANTED, '')
    .trim();
  const characters = [...clean];
  return characters.length <= maxChars ? clean : `${characters.slice(0, maxChars - 1).join('')}…`;
}

/** Does the same and joins lines. Pure. */
export function cleanLine(text: unknown, maxChars: number): string {
  return cleanText(typeof text === 'string' ? text.replace(/\s+/g, ' ') : '', maxChars);
}

/** Makes a title from a name: `get-user_byId` becomes `Get user by id`. Pure. */
export function toTitle(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
