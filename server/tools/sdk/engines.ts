import { withTimeout } from '../../kit/with-timeout';
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
      answer = withTimeout(search, this.#searchMs, () => ({
        reason: 'The check for the software that this tool requires timed out.',
      }));
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
