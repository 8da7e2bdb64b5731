import { expect, it } from 'vitest';
import { toUnicodePattern } from './unicode-pattern';

it.each([
  [String.raw`^[^\@]+\@[\w-.]+$`, String.raw`^[^@]+@[\w\-.]+$`, ['a@b-c.d', 'a@', 'a@b c']],
  [String.raw`^\_[\-a]{2}\:$`, String.raw`^_[\-a]{2}:$`, ['_-a:', '_aa:', '_a:']],
  ['^{{[^{}]+}}$', String.raw`^\{\{[^{}]+\}\}$`, ['{{a}}', '{a}', '{{}}']],
  [String.raw`^a]\d{2,}$`, String.raw`^a\]\d{2,}$`, ['a]12', 'a]1']],
  [String.raw`^\p{Lu}$`, String.raw`^\p{Lu}$`, []],
])('%s becomes %s, which means the same', (pattern, expected, texts) => {
  const made = toUnicodePattern(pattern);
  expect(made).toBe(expected);
  for (const text of texts)
    expect(new RegExp(String(made), 'u').test(text), text).toBe(new RegExp(pattern).test(text));
});

it.each(['(?i)abc', String.raw`\A[a-z]+\Z(`, 'a++'])('%s is no pattern', (pattern) => {
  expect(toUnicodePattern(pattern)).toBeNull();
});
