import { runInPlayground } from '@/server/api/trpc/playground-run';

export const dynamic = 'force-dynamic';

export const POST = (request: Request) => runInPlayground(request);
