import NextAuth from 'next-auth';
import { authOptions } from '@/server/auth/options';
import { getRuntime } from '@/server/runtime';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<{ nextauth: string[] }> };

const handler = (request: Request, context: Context): Promise<Response> =>
  NextAuth(authOptions(getRuntime()))(request, context);

export { handler as GET, handler as POST };
