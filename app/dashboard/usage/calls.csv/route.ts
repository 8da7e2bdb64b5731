import { downloadCalls } from '@/server/http/calls-download';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => downloadCalls(request);
