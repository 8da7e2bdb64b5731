import { textRoute } from '@/server/api/http/text-route';
import { writeLlmsText } from '@/server/docs/agent-texts';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeLlmsText, { type: 'text/plain; charset=utf-8' });
