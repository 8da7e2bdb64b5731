import { writeLlmsText } from '@/server/guides/agent-texts';
import { textRoute } from '@/server/http/text-route';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeLlmsText, { type: 'text/plain; charset=utf-8' });
