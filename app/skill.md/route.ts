import { textRoute } from '@/server/api/http/text-route';
import { writeSkill } from '@/server/docs/agent-texts';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeSkill, { type: 'text/markdown; charset=utf-8' });
