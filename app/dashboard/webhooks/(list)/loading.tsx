export { WebhooksSkeleton as default } from '@/components/webhooks/webhooks-skeleton';
