import { downloadAudit } from '@/server/http/audit-download';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => downloadAudit(request);
