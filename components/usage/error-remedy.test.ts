import { expect, it } from 'vitest';
import { CALL_ERROR_CODES, NO_ERROR_CODE } from '@/server/usage/limits';
import { findErrorRemedy } from './error-remedy';

it.each([...CALL_ERROR_CODES, NO_ERROR_CODE, 'A_LATER_CODE'])('%s has a remedy with its place', (code) => {
  const { text, href, label } = findErrorRemedy({ tool: 'math', error_code: code }, { period: '7d' });
  expect(text).toMatch(/\.$/);
  expect(label).not.toBe('');
  expect(href).toMatch(/^\/(dashboard|docs|tools)\//);
  // The messages are those of the same slice.
  if (label === 'See the messages')
    expect(href).toBe(`/dashboard/usage/errors?tool=math&error=${code}&period=7d#calls`);
});
