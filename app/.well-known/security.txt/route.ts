import { textRoute } from '@/server/api/http/text-route';
import { writeSecurityText } from '@/server/docs/well-known';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeSecurityText, { type: 'text/plain; charset=utf-8' });
