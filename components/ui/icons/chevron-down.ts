// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const ChevronDown = /* @__PURE__ */ createIcon([['path', { d: 'm6 9 6 6 6-6' }]]);
