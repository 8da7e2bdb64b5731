import { downloadCalls } from '@/server/api/http/calls-download';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => downloadCalls(request);
