// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const CircleX = /* @__PURE__ */ createIcon([
  ['circle', { cx: '12', cy: '12', r: '10' }],
  ['path', { d: 'm15 9-6 6' }],
  ['path', { d: 'm9 9 6 6' }],
]);
