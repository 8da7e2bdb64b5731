import { writeSecurityText } from '@/server/guides/well-known';
import { textRoute } from '@/server/http/text-route';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeSecurityText, { type: 'text/plain; charset=utf-8' });
