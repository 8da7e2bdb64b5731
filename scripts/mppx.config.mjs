// Payment methods for `npx mppx --config`. With TOOL_GATEWAY_URL it also pays the fake Stripe of a
// local gateway. A plain object, because mppx/cli 0.11.0 lacks a dependency and does not load.
import { findFakeStripe, sandbox, testCard } from './payment-methods.mjs';

// GATEWAY_URL is its name in older guides.
const url = process.env.TOOL_GATEWAY_URL ?? process.env.GATEWAY_URL;
const fakeStripe = url ? await findFakeStripe(url) : null;

export default { methods: fakeStripe ? [testCard(fakeStripe), sandbox()] : [sandbox()] };
