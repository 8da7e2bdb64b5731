import { writeSkill } from '@/server/guides/agent-texts';
import { textRoute } from '@/server/http/text-route';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeSkill, { type: 'text/markdown; charset=utf-8' });
