// From Lucide, by `npm run icons`.
import { createIcon } from './create-icon';

export const Check = /* @__PURE__ */ createIcon([['path', { d: 'M20 6 9 17l-5-5' }]]);
