import { callInput } from '../schema';

/** A call as the playground makes it: on the person's own key, so it names none. */
export const playgroundCallInput = callInput.pick({ tool: true, skill: true, input: true, billing: true });
