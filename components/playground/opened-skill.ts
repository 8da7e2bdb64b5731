import type { Skill, Tool } from '@/server/catalog/tools/schema';

/** The parts of a skill and its tool that the page needs. */
export interface OpenedSkill {
  tool: Pick<Tool, 'name' | 'displayName'>;
  skill: Pick<
    Skill,
    'name' | 'displayName' | 'description' | 'input' | 'examples' | 'pricing' | 'annotations'
  >;
}
