import { textRoute } from '@/server/api/http/text-route';
import { writeLlmsFullText } from '@/server/docs/agent-texts';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeLlmsFullText, { type: 'text/plain; charset=utf-8' });
