import { textRoute } from '@/server/api/http/text-route';
import { writeSkillIndex } from '@/server/docs/well-known';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeSkillIndex, { type: 'application/json; charset=utf-8' });
