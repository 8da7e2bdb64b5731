// What a crash test found, counted and said by the name of the guarantee.

const MAX_SHOWN = 8;

/** The findings of one run. */
export class Checks {
  passed = 0;
  failed = 0;
  /** @type {string[]} */
  failures = [];

  /**
   * @param {string} guarantee what holds, as a person would say it
   * @param {string[]} problems each one a place where it does not
   */
  holds(guarantee, problems) {
    if (problems.length === 0) {
      this.passed++;
      console.log(`  ok    ${guarantee}`);
      return;
    }
    this.failed++;
    console.log(`  FAIL  ${guarantee}`);
    const shown = problems.slice(0, MAX_SHOWN).map((problem) => `        ${problem.slice(0, 4_000)}`);
    this.failures.push([guarantee, ...shown].join('\n'));
    for (const line of shown) console.log(line);
    if (problems.length > MAX_SHOWN) console.log(`        and ${problems.length - MAX_SHOWN} more`);
  }

  /**
   * @param {string} guarantee
   * @param {unknown} actual
   * @param {unknown} expected
   */
  equals(guarantee, actual, expected) {
    const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
    this.holds(guarantee, found === wanted ? [] : [`expected ${wanted}, found ${found}`]);
  }
}
