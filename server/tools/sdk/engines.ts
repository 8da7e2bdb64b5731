import type { ToolDefinition } from './define-tool';

/** A tool, or a skill that needs more than its tool. */
type WithEngine = Pick<ToolDefinition, 'findEngine'>;

/**
 * What the tools of this process cannot work without, searched for once: a browser, a converter, a
 * native library.
 */
export class Engines {
  /** By the definition, not by its name: an imported tool that changed is another one. */
  readonly #answers = new WeakMap<WithEngine, Promise<string | null>>();
  readonly #searchMs: number;

  /** @param searchMs what takes longer to find counts as missing, until it is found */
  constructor(searchMs: number) {
    this.#searchMs = searchMs;
  }

  /**
   * Null where the tool can work here; else why it cannot, in words for a caller. Never rejects.
   */
  whyMissing(tool: WithEngine): Promise<string | null> {
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

async function findEngine(tool: WithEngine): Promise<string | null> {
  try {
    return (await tool.findEngine?.()) ?? null;
  } catch {
    return 'What it works with could not be looked for.';
  }
}

async function withLimit(search: Promise<string | null>, ms: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('What it works with did not answer.'), ms).unref();
  });
  try {
    return await Promise.race([search, late]);
  } finally {
    clearTimeout(timer);
  }
}
