import { lazyOverlay } from '../ui/lazy-overlay';

/** The dialogs of a key, each loaded when it opens. */
export const RenameKeyDialog = lazyOverlay(() =>
  import('./rename-key-dialog').then((module) => module.RenameKeyDialog),
);
export const KeyCreditsDialog = lazyOverlay(() =>
  import('./key-credits-dialog').then((module) => module.KeyCreditsDialog),
);
export const KeyRightsDialog = lazyOverlay(() =>
  import('./key-rights-dialog').then((module) => module.KeyRightsDialog),
);
export const KeyRulesDialog = lazyOverlay(() =>
  import('./key-rules-dialog').then((module) => module.KeyRulesDialog),
);
export const RotateKeyDialog = lazyOverlay(() =>
  import('./rotate-key-dialog').then((module) => module.RotateKeyDialog),
);
export const RevokeKeyDialog = lazyOverlay(() =>
  import('./revoke-key-dialog').then((module) => module.RevokeKeyDialog),
);
