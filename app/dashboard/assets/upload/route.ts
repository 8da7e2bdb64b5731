import { answerThroughNext } from '@/server/api/http/next-route';

export const dynamic = 'force-dynamic';

export const POST = answerThroughNext;
