export { TeamsSkeleton as default } from '@/components/shared/skeletons';
