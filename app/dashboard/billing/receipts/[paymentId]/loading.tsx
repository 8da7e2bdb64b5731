export { ReceiptSkeleton as default } from '@/components/billing/skeletons';
