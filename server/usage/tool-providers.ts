import type { Runtime } from '../core/runtime';

/** A provider whose key calls of a tool can use. */
export interface ToolProvider {
  tool: string;
  provider: string;
}

/** Lists the providers of all tools. */
export function listToolProviders({ catalog }: Pick<Runtime, 'catalog'>): ToolProvider[] {
  return catalog.list({ limit: Number.MAX_SAFE_INTEGER }).flatMap(({ name: tool, skills }) =>
    [...new Set(skills.flatMap(({ requirements }) => requirements ?? []))].map((provider) => ({
      tool,
      provider,
    })),
  );
}
