import { answerThroughNext } from '@/server/api/dispatch/next-route';

export const dynamic = 'force-dynamic';

export const POST = answerThroughNext;
