const MAX_LENGTH = 80;
/**
 * Control, direction-changing, blank and zero-width characters: they can make a name look empty or
 * like another.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Cleans an application's name for storage and display: one line of visible text.
 * @returns null if no visible character remains
 */
export function cleanClientName(given: string): string | null {
  const clean = given.normalize('NFC').replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
  if (clean === '') return null;
  const characters = [...clean];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : clean;
}
