export { createFakeStripe, type FakeStripe, type FakeStripeOptions } from './fake-stripe';
export { createNodeListener } from './node-listener';
export { createTables } from './state/tables';
export type { DeliverEvent, Logger, SignedEvent } from './types';
