import {
  defineSkill,
  defineTool,
  free,
  type SkillDefinition,
  type ToolDefinition,
} from '@/server/tools/sdk/define-tool';

type Required = 'name' | 'input' | 'output' | 'run';
type TestSkill<Input, Output, Usage> = Pick<SkillDefinition<Input, Output, Usage>, Required> &
  Partial<Omit<SkillDefinition<Input, Output, Usage>, 'annotations'>> & {
    annotations?: Partial<SkillDefinition['annotations']>;
  };

/** A skill that is free, only reads and ends at once, except for what is given. */
export function defineTestSkill<Input, Output, Usage = undefined>({
  annotations,
  ...skill
}: TestSkill<Input, Output, Usage>): SkillDefinition<Input, Output, Usage> {
  return defineSkill({
    displayName: skill.name,
    description: 'For tests',
    returns: 'the result of a test',
    examples: [],
    price: free,
    ...skill,
    annotations: {
      readOnly: true,
      idempotent: true,
      destructive: false,
      estimatedSeconds: 0.001,
      ...annotations,
    },
  });
}

/** A tool with these skills. */
export function defineTestTool(name: string, skills: ToolDefinition['skills']): ToolDefinition {
  const texts = { displayName: name, subtitle: 'For tests', description: 'For tests' };
  return defineTool({ name, ...texts, categories: ['test'], version: '1.0.0', skills });
}
