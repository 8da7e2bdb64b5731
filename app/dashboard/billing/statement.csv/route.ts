import { downloadStatement } from '@/server/http/statement-download';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => downloadStatement(request);
