import { downloadReceipt } from '@/server/api/http/pdf-download';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ paymentId: string }> }) {
  return await downloadReceipt(request, (await params).paymentId);
}
