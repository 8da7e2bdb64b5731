import { streamJobLog } from '@/server/api/http/live-streams';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }) {
  return await streamJobLog(request, (await params).id);
}
