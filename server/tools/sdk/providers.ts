export type { Slot } from '../../platform/settings/providers';
