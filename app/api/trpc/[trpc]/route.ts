import { handleTrpc } from '@/server/trpc/handler';

export const dynamic = 'force-dynamic';

const answer = (request: Request) => handleTrpc(request);

export { answer as GET, answer as POST };
