// Payment methods for `npx mppx --config`. With GATEWAY_URL it also pays the fake Stripe of a local
// gateway. A plain object, because mppx/cli 0.11.0 lacks a dependency and does not load.
import { findFakeStripe, sandbox, testCard } from './payment-methods.mjs';

const { GATEWAY_URL } = process.env;
const fakeStripe = GATEWAY_URL ? await findFakeStripe(GATEWAY_URL) : null;

export default { methods: fakeStripe ? [testCard(fakeStripe), sandbox()] : [sandbox()] };
