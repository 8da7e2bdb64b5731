export { createFakeStripe, type FakeStripe, type FakeStripeOptions } from './fake-stripe';
export { createTables } from './state/tables';
export type { DeliverEvent, Logger, SignedEvent } from './types';
