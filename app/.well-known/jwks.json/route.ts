import { answerThroughNext } from '@/server/api/dispatch/next-route';

export const dynamic = 'force-dynamic';

export const GET = answerThroughNext;
export const HEAD = answerThroughNext;
export const OPTIONS = answerThroughNext;
