import { downloadInvoice } from '@/server/api/http/pdf-download';

export const dynamic = 'force-dynamic';

export async function GET(request: Request, { params }: { params: Promise<{ file: string }> }) {
  return await downloadInvoice(request, (await params).file);
}
