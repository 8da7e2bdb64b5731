// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const ChevronsUpDown = /* @__PURE__ */ createIcon([
  ['path', { d: 'm7 15 5 5 5-5' }],
  ['path', { d: 'm7 9 5-5 5 5' }],
]);
