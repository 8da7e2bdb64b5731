import type { ToolDefinition } from './define-tool';

/** A tool, or a skill that needs more than its tool. */
type WithEngine = Pick<ToolDefinition, 'findEngine'>;

/** A look that takes longer found nothing. */
const LOOK_MS = 10_000;

/**
 * What the tools of this process cannot work without, looked for once: a browser, a converter, a
 * native library.
 */
export class Engines {
  /** By the definition, not by its name: an imported tool that changed is another one. */
  readonly #looks = new WeakMap<WithEngine, Promise<string | null>>();

  /**
   * Null where the tool can work here; else why it cannot, in words for a caller. Never rejects.
   */
  whyMissing(tool: WithEngine): Promise<string | null> {
    let look = this.#looks.get(tool);
    if (!look) {
      look = lookFor(tool);
      this.#looks.set(tool, look);
    }
    return look;
  }
}

async function lookFor(tool: WithEngine): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('What it works with did not answer.'), LOOK_MS).unref();
  });
  try {
    return await Promise.race([tool.findEngine?.() ?? null, late]);
  } catch {
    return 'What it works with could not be looked for.';
  } finally {
    clearTimeout(timer);
  }
}
