import { authRouter } from './accounts/router';
import { assetsRouter } from './assets/router';
import { billingRouter } from './billing/router';
import { callsRouter } from './calls/router';
import { toolsRouter } from './catalog/router';
import { requirementsRouter } from './credentials/router';
import { guidesRouter } from './guides/router';
import { jobsRouter } from './jobs/router';
import { keysRouter } from './keys/router';
import { liveRouter } from './live/router';
import { oauthRouter } from './oauth/router';
import { operatorRouter } from './operator/router';
import { playgroundRouter } from './playground/router';
import { reviewsRouter } from './reviews/router';
import { teamsRouter } from './teams/router';
import { topupsRouter } from './topups/router';
import { router } from './trpc/procedures';
import { usageRouter } from './usage/router';

/** All slices. REST, the OpenAPI document and the dashboard are made from it. */
export const appRouter = router({
  tools: toolsRouter,
  calls: callsRouter,
  guides: guidesRouter,
  jobs: jobsRouter,
  assets: assetsRouter,
  auth: authRouter,
  billing: billingRouter,
  topups: topupsRouter,
  keys: keysRouter,
  live: liveRouter,
  usage: usageRouter,
  reviews: reviewsRouter,
  teams: teamsRouter,
  requirements: requirementsRouter,
  playground: playgroundRouter,
  oauth: oauthRouter,
  operator: operatorRouter,
});

export type AppRouter = typeof appRouter;
