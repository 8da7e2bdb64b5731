// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const CircleSlash = /* @__PURE__ */ createIcon([
  ['circle', { cx: '12', cy: '12', r: '10' }],
  ['line', { x1: '9', x2: '15', y1: '15', y2: '9' }],
]);
