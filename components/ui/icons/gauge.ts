// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const Gauge = /* @__PURE__ */ createIcon([
  ['path', { d: 'm12 14 4-4' }],
  ['path', { d: 'M3.34 19a10 10 0 1 1 17.32 0' }],
]);
