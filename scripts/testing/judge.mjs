// What the lines of an acceptance script mean, and which failures are expected for now.

/**
 * The routes of the contract that later issues build. Their rules fail until then; a route that no rule fails for any
 * more has arrived, and must be taken off the list.
 */
export class ToCome {
  /** @type {Map<string, number>} */
  #failures;
  rules = 0;

  /** @param {readonly string[]} routes such as `POST /v1/tools/batch` */
  constructor(routes) {
    this.#failures = new Map(routes.map((route) => [route, 0]));
  }

  /**
   * Whether the failed rule is about one of the routes: `FAIL OAS-20:POST /v1/tools/batch bad 404 …`.
   * @param {string} line
   */
  takes(line) {
    const route = /^FAIL [A-Z]+-\d+:([A-Z]+ \/v1\/\S+)/.exec(line)?.[1] ?? '';
    const seen = this.#failures.get(route);
    if (seen === undefined) return false;
    this.#failures.set(route, seen + 1);
    this.rules++;
    return true;
  }

  /** @returns {string[]} the routes that fail no more */
  arrived() {
    return [...this.#failures].filter(([, failures]) => failures === 0).map(([route]) => route);
  }
}

/**
 * @param {{ code: number, stdout: string, stderr: string }} run of one script
 * @param {ToCome | null} toCome null where nothing may fail
 * @returns {{ passed: number, skipped: number, expected: number, failures: string[] }}
 */
export function judge({ code, stdout, stderr }, toCome) {
  const lines = stdout.split('\n');
  const startingWith = (/** @type {string} */ word) => lines.filter((line) => line.startsWith(`${word} `));
  const passed = startingWith('ok').length;
  const failed = startingWith('FAIL');
  const failures = failed.filter((line) => !toCome?.takes(line));
  const expected = failed.length - failures.length;
  // A script that broke off says no sum, or another one.
  const sum = `${passed} passed, ${failed.length} failed`;
  if (!lines.includes(sum) || (code !== 0) !== failed.length > 0)
    failures.push(`FAIL it ended with code ${code} and without "${sum}" ${stderr.slice(0, 500)}`.trim());
  return { passed, skipped: startingWith('skip').length, expected, failures };
}
