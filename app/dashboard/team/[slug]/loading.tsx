export { TeamSkeleton as default } from '@/components/dashboard/skeletons';
