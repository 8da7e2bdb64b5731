import { expect, it } from 'vitest';
import { findCycles, listReached, listRoomImports } from './find-cycles.mjs';

const findIn = (files: Record<string, string>) => findCycles(listRoomImports(new Map(Object.entries(files))));

it('finds rooms that import each other, also where no file imports itself', () => {
  const files = {
    'server/money/a/one.ts': "import { two } from '../b/two';",
    'server/money/b/two.ts': 'export const two = 2;',
    'server/money/b/three.ts': "import { four } from '@/server/money/c/four';",
    'server/money/c/four.ts': "import { one } from '../a/one';",
  };
  expect(findIn(files)).toEqual([['server/money/a', 'server/money/b', 'server/money/c']]);
});

it('allows imports of types, and imports in one direction', () => {
  const files = {
    'server/money/a/one.ts': "import { type Two, two } from '../b/two';",
    'server/money/b/two.ts': "import type { One } from '../a/one';\nimport { type Three } from '../a/one';",
  };
  expect(findIn(files)).toEqual([]);
});

it('lists the files that a file imports, directly or through others, without types', () => {
  const files = {
    'server/a/one.ts': "import { two } from '../b/two';\nimport type { Four } from '../b/four';",
    'server/b/two.ts': "export { three } from '@/server/c/three';",
    'server/c/three.ts': "import { one } from '../a/one';",
    'server/b/four.ts': 'export type Four = 4;',
  };
  const reached = listReached('server/a/one.ts', new Map(Object.entries(files)));
  expect(reached).toEqual(['server/a/one.ts', 'server/b/two.ts', 'server/c/three.ts']);
});
