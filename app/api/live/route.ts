import { streamLive } from '@/server/api/http/live-streams';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => streamLive(request);
