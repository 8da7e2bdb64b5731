export { KeysSkeleton as default } from '@/components/shared/skeletons';
