import { expect, it } from 'vitest';
import { ownValue } from './own-value';

it('ignores inherited properties', () => {
  const record: Record<string, number> = { a: 1 };
  for (const name of ['constructor', '__proto__', 'toString', 'valueOf', 'b'])
    expect(ownValue(record, name), name).toBeUndefined();
  expect(ownValue(record, 'a')).toBe(1);
  expect(ownValue(JSON.parse('{"__proto__":2}'), '__proto__')).toBe(2);
});
