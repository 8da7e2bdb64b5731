import type { Skill, Tool } from '@/server/catalog/tools/schema';

/** What the page needs of the skill that is called from it. */
export interface OpenedSkill {
  tool: Pick<Tool, 'name' | 'displayName' | 'available' | 'unavailable_reason'>;
  skill: Pick<
    Skill,
    'name' | 'displayName' | 'description' | 'input' | 'examples' | 'pricing' | 'annotations'
  >;
}
