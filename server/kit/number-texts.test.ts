import { expect, it } from 'vitest';
import { markNumberTexts, removeNumberMarks, writeNumberTexts } from './number-texts';

it('writes marked texts as numbers, and changes no other text', () => {
  const value = { id: '725653563933458433', other: '725653563933458433', list: [{ n: '-1e400' }, 'x'] };
  const marked = markNumberTexts(value, [['id'], ['list', '0', 'n']]);
  expect(value.id).toBe('725653563933458433');
  expect(writeNumberTexts(JSON.stringify(marked))).toBe(
    '{"id":725653563933458433,"other":"725653563933458433","list":[{"n":-1e400},"x"]}',
  );
  expect(removeNumberMarks(`/items/${marked.id}`)).toBe('/items/725653563933458433');
});

it('marks a field named like a part of every object', () => {
  const value = JSON.parse('{"__proto__":{"constructor":"9007199254740993"}}');
  const marked = markNumberTexts(value, [['__proto__', 'constructor']]);
  expect(writeNumberTexts(JSON.stringify(marked))).toBe('{"__proto__":{"constructor":9007199254740993}}');
});
