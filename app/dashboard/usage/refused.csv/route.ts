import { downloadRefusals } from '@/server/api/http/refusals-download';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => downloadRefusals(request);
