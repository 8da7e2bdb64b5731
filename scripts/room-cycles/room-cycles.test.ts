import { expect, it } from 'vitest';
import { findCycles, listRoomImports } from './find-cycles.mjs';

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
