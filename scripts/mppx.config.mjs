// For `npx mppx --config`: how it pays a gateway. GATEWAY_URL names one on this machine; its stand-in for Stripe is paid
// too. A plain object, because mppx/cli 0.11.0 does not load: it leaves a dependency out.
import { findStandin, sandbox, testCard } from './payment-methods.mjs';

const { GATEWAY_URL } = process.env;
const standin = GATEWAY_URL ? await findStandin(GATEWAY_URL) : null;

export default { methods: standin ? [testCard(standin), sandbox()] : [sandbox()] };
