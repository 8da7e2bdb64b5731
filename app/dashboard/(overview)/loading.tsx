export { OverviewSkeleton as default } from '@/components/shared/skeletons';
