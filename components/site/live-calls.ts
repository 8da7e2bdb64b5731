import type { Skill, Tool } from '@/server/catalog/tools/schema';
import type { SampleCall } from '../shared/call-samples';

/** Shown first if the catalogue has them. */
const PREFERRED = ['math.evaluate', 'text.stats', 'math.units'];
const SHOWN = 3;

interface Choice {
  tool: string;
  skill: string;
}

function rank({ tool, skill }: Choice): number {
  const at = PREFERRED.indexOf(`${tool}.${skill}`);
  return at === -1 ? PREFERRED.length : at;
}

function isQuickAndFree({ pricing, annotations }: Skill): boolean {
  return pricing.free && !annotations.destructive && annotations.estimatedSeconds < 5;
}

/** Free, quick skills for the panel, chosen from the list of tools. */
export function chooseLiveSkills(tools: readonly Tool[]): Choice[] {
  return tools
    .flatMap((tool) =>
      tool.skills.filter(isQuickAndFree).map((skill) => ({ tool: tool.name, skill: skill.name })),
    )
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN);
}

/** The first example of a skill as a call, so that the panel's calls are known to work. */
export function exampleCall(tool: Tool, skillName: string): SampleCall[] {
  const example = tool.skills.find((skill) => skill.name === skillName)?.examples?.[0];
  return example ? [{ tool: tool.name, skill: skillName, input: example.input }] : [];
}
