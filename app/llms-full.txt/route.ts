import { writeLlmsFullText } from '@/server/guides/agent-texts';
import { textRoute } from '@/server/http/text-route';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeLlmsFullText, { type: 'text/plain; charset=utf-8' });
