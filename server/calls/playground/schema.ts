import { callInput } from '../schema';

/** A call from the playground; it always uses the key of the signed-in user. */
export const playgroundCallInput = callInput.pick({
  tool: true,
  skill: true,
  input: true,
  billing: true,
  max_cost_usd: true,
});
