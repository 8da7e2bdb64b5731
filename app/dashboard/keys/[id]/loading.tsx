export { KeySkeleton as default } from '@/components/shared/skeletons';
