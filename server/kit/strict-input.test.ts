import { expect, it } from 'vitest';
import { unknownField } from './strict-input';

it.each([
  ['query', ['q', 'limit'], 'Did you mean `q`?'],
  ['autoReloadAmmount', ['autoReloadAmount', 'autoReloadEnabled'], 'Did you mean `autoReloadAmount`?'],
  ['Name', ['name', 'credits'], 'Did you mean `name`?'],
  ['billing', ['tool', 'skill', 'input'], 'Known fields: `tool`, `skill`, `input`.'],
  ['x', [], 'No fields are accepted here.'],
])('rejects the unknown field %s among %j: %s', (field, known, hint) => {
  expect(unknownField(field, known)).toBe(`Unknown field \`${field}\`. ${hint}`);
});
