export { ProviderKeysSkeleton as default } from '@/components/credentials/provider-keys-skeleton';
