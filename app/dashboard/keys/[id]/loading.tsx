export { KeySkeleton as default } from '@/components/dashboard/skeletons';
