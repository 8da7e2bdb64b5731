import type { Runtime } from '../runtime';
import type { Requirement } from './schema';

/** The credential slots that the tools of this gateway can use, each once. */
export function listRequirements(runtime: Runtime): { requirements: Requirement[] } {
  const registeredBy = new Map<string, string[]>();
  for (const tool of runtime.catalog.list({ limit: Number.MAX_SAFE_INTEGER }))
    for (const skill of tool.skills)
      for (const slot of skill.requirements ?? []) {
        const tools = registeredBy.get(slot) ?? [];
        if (!tools.includes(tool.name)) tools.push(tool.name);
        registeredBy.set(slot, tools);
      }
  return {
    requirements: [...registeredBy].map(([name, tools]) => ({
      name,
      type: 'api_key',
      displayName: name,
      description: `An API key of ${name}.`,
      acquireUrl: '',
      setupGuide: '',
      registeredBy: tools,
    })),
  };
}
