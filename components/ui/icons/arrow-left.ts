// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const ArrowLeft = /* @__PURE__ */ createIcon([
  ['path', { d: 'm12 19-7-7 7-7' }],
  ['path', { d: 'M19 12H5' }],
]);
