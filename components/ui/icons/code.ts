// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const Code = /* @__PURE__ */ createIcon([
  ['path', { d: 'm16 18 6-6-6-6' }],
  ['path', { d: 'm8 6-6 6 6 6' }],
]);
