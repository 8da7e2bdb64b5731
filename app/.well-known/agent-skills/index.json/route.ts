import { writeSkillIndex } from '@/server/guides/well-known';
import { textRoute } from '@/server/http/text-route';

export const dynamic = 'force-dynamic';

export const GET = textRoute(writeSkillIndex, { type: 'application/json; charset=utf-8' });
