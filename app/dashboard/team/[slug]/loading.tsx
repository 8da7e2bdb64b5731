export { TeamSkeleton as default } from '@/components/shared/skeletons';
