import { textRoute } from '@/server/api/http/text-route';
import { writeGuide } from '@/server/docs/agent-texts';

export const dynamic = 'force-dynamic';

/** Serves /docs/<guide>.md, through a rewrite in next.config.ts. */
export const GET = textRoute((runtime, { guide }: { guide: string }) => writeGuide(runtime, guide), {
  type: 'text/markdown; charset=utf-8',
});
