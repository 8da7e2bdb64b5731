import { assetsRouter } from '../assets/router';
import { callContentsRouter } from '../calls/contents/router';
import { jobsRouter } from '../calls/jobs/router';
import { playgroundRouter } from '../calls/playground/router';
import { receiptsRouter } from '../calls/receipts/router';
import { callsRouter } from '../calls/router';
import { requirementsRouter } from '../catalog/credentials/router';
import { reviewsRouter } from '../catalog/reviews/router';
import { toolsRouter } from '../catalog/tools/router';
import { liveRouter } from '../core/live/router';
import { router } from '../core/trpc/procedures';
import { guidesRouter } from '../docs/router';
import { keysRouter } from '../identity/keys/router';
import { oauthRouter } from '../identity/oauth/router';
import { teamsRouter } from '../identity/teams/router';
import { authRouter } from '../lifecycle/router';
import { securityRouter } from '../lifecycle/security-router';
import { billingRouter } from '../money/router';
import { topupsRouter } from '../money/top-ups/router';
import { webhooksRouter } from '../notifications/webhooks/router';
import { operatorRouter } from '../operations/operator/router';
import { statusRouter } from '../operations/operator/status/router';
import { usageRouter } from '../usage/router';

/** All routers. REST, the OpenAPI document and the dashboard are built from it. */
export const appRouter = router({
  tools: toolsRouter,
  calls: callsRouter,
  callContents: callContentsRouter,
  guides: guidesRouter,
  jobs: jobsRouter,
  assets: assetsRouter,
  auth: authRouter,
  security: securityRouter,
  billing: billingRouter,
  topups: topupsRouter,
  keys: keysRouter,
  webhooks: webhooksRouter,
  live: liveRouter,
  usage: usageRouter,
  receipts: receiptsRouter,
  reviews: reviewsRouter,
  teams: teamsRouter,
  requirements: requirementsRouter,
  playground: playgroundRouter,
  oauth: oauthRouter,
  operator: operatorRouter,
  status: statusRouter,
});

export type AppRouter = typeof appRouter;
