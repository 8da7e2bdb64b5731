export type { ProviderName as Slot } from '../../platform/settings/providers';
