export { KeysSkeleton as default } from '@/components/dashboard/skeletons';
