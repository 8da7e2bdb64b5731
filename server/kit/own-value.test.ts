import { expect, it } from 'vitest';
import { getOwnValue } from './own-value';

it('ignores inherited properties', () => {
  const record: Record<string, number> = { a: 1 };
  for (const name of ['constructor', '__proto__', 'toString', 'valueOf', 'b'])
    expect(getOwnValue(record, name), name).toBeUndefined();
  expect(getOwnValue(record, 'a')).toBe(1);
  expect(getOwnValue(JSON.parse('{"__proto__":2}'), '__proto__')).toBe(2);
});
