import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const enginesOf = (file: string): string => JSON.parse(read(file)).engines.node;

it('every package and document names the versions of Node that npm run test:versions tries', () => {
  const engines = enginesOf('package.json');
  const ranges = engines.split(' || ');
  expect(ranges.join()).toMatch(/^(\^\d+\.\d+\.\d+,?)+$/);
  for (const file of ['clients/cli/package.json', 'fakes/stripe/package.json'])
    expect(enginesOf(file), file).toBe(engines);
  const least = ranges.map((range) => range.slice(1).replace(/\.0$/, ''));
  const words = `Node ${least.slice(0, -1).join(', ')} or ${least.at(-1)}, or a later version of one of these`;
  for (const file of ['README.md', 'clients/cli/README.md', 'docs/guides/cli.md'])
    expect(read(file).replaceAll(/\s+/g, ' '), file).toContain(words);
  const majors = ranges.map((range) => range.slice(1).split('.')[0]);
  expect(read('.github/workflows/ci.yml').match(/node: \[.*\]/g)).toEqual([
    `node: [${majors.join(', ')}]`,
    `node: [${majors.join(', ')}]`,
  ]);
});
