import { z } from 'zod';
import { queryInteger } from '../../kit/query-integer';
import { formatInput } from '../definitions/formats';
import { MAX_SEARCH_LENGTH } from './limits';
import { fieldsInput, includeInput } from './selection';

const toolName = z.string().min(1).max(64).describe('The name of the tool.');

export const listToolsInput = z.object({
  category: z.string().min(1).max(64).describe('Only tools of this category.').optional(),
  limit: queryInteger({ min: 1, max: 500, fallback: 100, about: 'The maximum number of tools.' }),
  include: includeInput,
  fields: fieldsInput,
  format: formatInput,
});

export const searchToolsInput = z.object({
  q: z.string().trim().min(1).max(MAX_SEARCH_LENGTH).describe('What you want to do, in your own words.'),
  limit: queryInteger({ min: 1, max: 500, fallback: 5, about: 'The maximum number of tools.' }),
  include: includeInput,
  format: formatInput,
});

export const getToolInput = z.object({
  tool: toolName,
  skill: z.string().min(1).max(64).describe('Return only this skill.').optional(),
  include: includeInput,
  fields: fieldsInput,
  format: formatInput,
});

export const listSkillsInput = z.object({ tool: toolName, include: includeInput });
