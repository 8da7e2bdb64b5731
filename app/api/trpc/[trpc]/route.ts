import { handleTrpc } from '@/server/api/trpc/handler';

export const dynamic = 'force-dynamic';

const answer = (request: Request) => handleTrpc(request);

export { answer as GET, answer as POST };
