import { answerCron } from '@/server/api/http/cron-route';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export const GET = async (request: Request, { params }: { params: Promise<{ round: string }> }) =>
  await answerCron(request, (await params).round);
