export { AssetsSkeleton as default } from '@/components/assets/assets-skeleton';
