export { OverviewSkeleton as default } from '@/components/dashboard/skeletons';
