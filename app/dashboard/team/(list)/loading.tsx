export { TeamsSkeleton as default } from '@/components/dashboard/skeletons';
