import { answerThroughNext } from '@/server/http/next-route';

export const dynamic = 'force-dynamic';

export const POST = answerThroughNext;
