import { writeGuide } from '@/server/guides/agent-texts';
import { textRoute } from '@/server/http/text-route';

export const dynamic = 'force-dynamic';

/** What /docs/<guide>.md is, by a rewrite in next.config.ts. */
export const GET = textRoute((runtime, { guide }: { guide: string }) => writeGuide(runtime, guide), {
  type: 'text/markdown; charset=utf-8',
});
