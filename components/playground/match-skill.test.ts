import { expect, it } from 'vitest';
import { matchSkill } from './match-skill';

const NAMES = ['Diagnostics', 'Test your client', 'Echo', 'Answers with the message it was given.'];
const match = (search: string) => matchSkill('diagnostics.echo', search, NAMES);

it('ranks matches in the names above matches in the description', () => {
  expect(match('diagnostics.echo')).toBe(1);
  expect(match('echo diag')).toBe(0.8);
  expect(match('message')).toBe(0.4);
  expect(match('echo message')).toBe(0.4);
  // The letters in order, but not a substring.
  expect(match('dgsec')).toBe(0);
  expect(
    matchSkill('chart.render', 'diagnostics.echo', ['Charts', '', 'Draw', 'd i a g n o s t i c s . e c h o']),
  ).toBe(0);
});
