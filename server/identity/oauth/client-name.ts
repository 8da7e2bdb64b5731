const MAX_LENGTH = 80;
/** Controls, and what turns the direction of text, is blank or has no width: with them a name can be made to look like another, or like none. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * What an application calls itself, as it is kept and shown: one line of visible text.
 * @returns null where nothing is left of it
 */
export function cleanClientName(given: string): string | null {
  const clean = given.normalize('NFC').replace(/\s+/g, ' ').replace(INVISIBLE, '').trim();
  if (clean === '') return null;
  const characters = [...clean];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : clean;
}
