import { handlePaymentWebhook } from '@/server/api/http/payment-webhook';

export const dynamic = 'force-dynamic';

export const POST = (request: Request) => handlePaymentWebhook(request);
