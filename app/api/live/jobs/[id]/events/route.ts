import { resumeInPlayground } from '@/server/api/trpc/playground-run';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  return await resumeInPlayground(request, (await params).id);
}
