import { answerThroughNext } from '@/server/api/dispatch/next-route';

export const dynamic = 'force-dynamic';

export const GET = answerThroughNext;
export const HEAD = answerThroughNext;
export const POST = answerThroughNext;
export const PUT = answerThroughNext;
export const PATCH = answerThroughNext;
export const DELETE = answerThroughNext;
export const OPTIONS = answerThroughNext;
