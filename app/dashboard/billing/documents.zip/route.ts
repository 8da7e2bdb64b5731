import { downloadDocumentsZip } from '@/server/api/http/documents-download';

export const dynamic = 'force-dynamic';

export const GET = (request: Request) => downloadDocumentsZip(request);
