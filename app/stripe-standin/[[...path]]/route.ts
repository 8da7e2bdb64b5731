import { serveStripeStandin } from '@/server/ports/stripe-standin/next-route';

export const dynamic = 'force-dynamic';

export const GET = serveStripeStandin;
export const POST = serveStripeStandin;
export const DELETE = serveStripeStandin;
