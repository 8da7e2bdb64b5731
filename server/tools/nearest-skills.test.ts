import { expect, it } from 'vitest';
import { findNearestSkills } from './nearest-skills';
import { tools } from './registry';

const find = (tool: string, skill: string) =>
  findNearestSkills(skill, tools.find(({ name }) => name === tool)?.skills ?? []);

it.each([
  ['text', 'word_count', 'stats'],
  ['text', 'countWords', 'stats'],
  ['math', 'evalute', 'evaluate'],
  ['image', 'resize_image', 'resize'],
])('%s.%s may mean %s', (tool, wrong, right) => {
  expect(find(tool, wrong)[0]).toBe(right);
});

it('suggests nothing that shares no word', () => {
  expect(find('math', 'telephone')).toEqual([]);
  expect(find('text', 'the')).toEqual([]);
});
