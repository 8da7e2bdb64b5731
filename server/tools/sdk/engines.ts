import type { MissingEngine, ToolDefinition } from './define-tool';

/** A tool, or a skill that needs more than its tool. */
type WithEngine = Pick<ToolDefinition, 'findEngine'>;

/** Caches whether the software that tools require, such as a browser, is present. */
export class Engines {
  /** Keyed by the definition, not the name: an imported tool that changed has a new definition. */
  readonly #answers = new WeakMap<WithEngine, Promise<MissingEngine | null>>();
  readonly #searchMs: number;

  /** @param searchMs a search that takes longer counts as missing until it completes */
  constructor(searchMs: number) {
    this.#searchMs = searchMs;
  }

  /** Returns null if the tool can work here. Never rejects. */
  findMissing(tool: WithEngine): Promise<MissingEngine | null> {
    let answer = this.#answers.get(tool);
    if (!answer) {
      const search = findEngine(tool);
      answer = withLimit(search, this.#searchMs);
      this.#answers.set(tool, answer);
      void search.then(() => this.#answers.set(tool, search));
    }
    return answer;
  }
}

async function findEngine(tool: WithEngine): Promise<MissingEngine | null> {
  try {
    return (await tool.findEngine?.()) ?? null;
  } catch {
    return { reason: 'The check for the software that this tool requires failed.' };
  }
}

async function withLimit(search: Promise<MissingEngine | null>, ms: number): Promise<MissingEngine | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<MissingEngine>((resolve) => {
    const reason = 'The check for the software that this tool requires timed out.';
    timer = setTimeout(() => resolve({ reason }), ms).unref();
  });
  try {
    return await Promise.race([search, late]);
  } finally {
    clearTimeout(timer);
  }
}
