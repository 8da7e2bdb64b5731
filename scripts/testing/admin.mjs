// The operator's command for tests: one resident process for all runs of this process, started by the first.
import { fileURLToPath } from 'node:url';
import { startNode } from './processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @typedef {{ code: number, stdout: string, stderr: string }} AdminAnswer */
/** @typedef {{ resolve: (answer: AdminAnswer) => void, reject: (error: Error) => void }} Waiting */

/** @type {Resident | null} */
let resident = null;

/**
 * @param {NodeJS.ProcessEnv} env of the gateway
 * @param {string[]} args
 * @returns {Promise<any>} its JSON object
 */
export async function runAdmin(env, args) {
  if (!resident?.alive) resident = new Resident();
  const { code, stdout, stderr } = await resident.run(env, [...args, '--json']);
  if (code !== 0) throw new Error(`npm run admin -- ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

class Resident {
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #child;
  #runs = 0;
  alive = true;

  constructor() {
    const { NODE_OPTIONS: _, ...env } = process.env;
    this.#child = startNode(['scripts/testing/resident-admin.mjs'], {
      cwd: root,
      env: /** @type {NodeJS.ProcessEnv} */ (env),
      // Its own words are not the command's, which come as a message.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (message) =>
      this.#settle(/** @type {AdminAnswer & { id?: number }} */ (message)),
    );
    this.#child.once('error', (error) => this.#end(error));
    this.#child.once('close', (code) => this.#end(new Error(`The operator's command ended with ${code}`)));
    // Nobody waits for it: it ends when this process does.
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /**
   * @param {NodeJS.ProcessEnv} env
   * @param {string[]} args
   * @returns {Promise<AdminAnswer>}
   */
  run(env, args) {
    return new Promise((resolve, reject) => {
      const id = ++this.#runs;
      this.#waiting.set(id, { resolve, reject });
      this.#child.channel?.ref();
      this.#child.send({ id, args, env }, (error) => {
        if (error) this.#end(error);
      });
    });
  }

  /** @param {AdminAnswer & { id?: number }} message */
  #settle({ id, ...answer }) {
    const waiting = this.#waiting.get(id ?? 0);
    if (!waiting) return;
    this.#waiting.delete(id ?? 0);
    if (this.#waiting.size === 0) this.#child.channel?.unref();
    waiting.resolve(answer);
  }

  /** @param {Error} error */
  #end(error) {
    this.alive = false;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
