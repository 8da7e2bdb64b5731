// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const Square = /* @__PURE__ */ createIcon([
  ['rect', { width: '18', height: '18', x: '3', y: '3', rx: '2' }],
]);
