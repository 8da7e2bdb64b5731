export { OperatorSkeleton as default } from '@/components/operator/skeleton';
