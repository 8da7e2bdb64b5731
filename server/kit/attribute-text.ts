import { cleanLine } from './clean-text';

/**
 * Appends the text of an upstream to a message that names its author. All after the colon, in one
 * line, is theirs: a model that reads the message must not take it for ours. Pure.
 * @param message without a full stop, such as `The tool reported an error`
 */
export function attributeText(message: string, text: unknown, maxChars: number): string {
  const said = cleanLine(text, maxChars);
  return said === '' ? `${message}.` : `${message}: ${said}`;
}
