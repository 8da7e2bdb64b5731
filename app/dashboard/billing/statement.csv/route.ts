import { downloadStatement } from '@/server/api/http/statement-download';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => downloadStatement(request);
