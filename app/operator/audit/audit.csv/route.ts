import { downloadAudit } from '@/server/api/http/audit-download';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => downloadAudit(request);
