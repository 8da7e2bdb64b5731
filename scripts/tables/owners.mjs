// The room of server/ that owns each table. All SQL on a table belongs to its owner, so that a
// change concerns one folder. `npm run lint` allows only the exceptions listed here.

/** Rooms that process all data: they may name any table. */
export const EVERY_TABLE = {
  'core/live': 'reads the versions of what pages show',
  'identity/accounts': 'moves the rows of an account that is claimed, deletes those of one that is deleted',
  lifecycle: 'deletes an account',
  'money/reconcile': 'compares the tables with each other',
  'operations/backup': 'writes and reads all tables',
  'operations/operator': 'shows all data to operators',
  'operations/retention': 'deletes expired rows',
};

/**
 * `owner` reads and writes, `writers` change columns of their own, `readers` join the table.
 * @type {Record<string, { owner: string, writers?: string[], readers?: string[] }>}
 */
export const OWNERS = {
  accounts: {
    owner: 'identity/accounts',
    // A team is an account; balances, orders and preferences are columns of it.
    writers: ['identity/teams', 'money/auto-reload', 'money/billing', 'money/payments', 'money/preferences'],
    readers: [
      'assets',
      'calls/prepare',
      'catalog/reviews',
      'catalog/tools',
      'core/claims',
      'identity/keys',
      'identity/oauth',
      'identity/sessions',
      'money/top-ups',
      'platform/email',
      'usage',
    ],
  },
  api_keys: {
    owner: 'identity/keys',
    // Keys of connected applications, of the playground, of made-up usage.
    writers: ['calls/playground', 'identity/oauth', 'usage'],
    readers: [
      'assets',
      'calls/jobs',
      'catalog/credentials',
      'catalog/reviews',
      'catalog/tools',
      'identity/teams',
    ],
  },
  users: {
    owner: 'identity/sessions',
    writers: ['identity/teams'],
    readers: ['calls/prepare', 'money/billing', 'money/payments', 'platform/email', 'usage'],
  },
  memberships: {
    owner: 'identity/teams',
    readers: ['calls/prepare', 'catalog/reviews', 'money/billing', 'platform/email'],
  },
  assets: { owner: 'assets' },
  audit_events: { owner: 'core/audit' },
  calls: { owner: 'calls/execution', readers: ['assets', 'calls/jobs', 'platform/observe'] },
  credentials: { owner: 'catalog/credentials' },
  idempotency_keys: { owner: 'core/idempotency' },
  identities: { owner: 'identity/sessions' },
  imported_skill_prices: { owner: 'catalog/imports' },
  imported_slots: { owner: 'catalog/imports', readers: ['catalog/credentials'] },
  imported_tools: { owner: 'catalog/imports', readers: ['platform/observe'] },
  invitations: { owner: 'identity/teams' },
  jobs: { owner: 'calls/jobs', readers: ['calls/execution', 'calls/receipts'] },
  job_logs: { owner: 'calls/jobs' },
  ledger_entries: { owner: 'money/billing', readers: ['usage'] },
  oauth_clients: { owner: 'identity/oauth' },
  oauth_codes: { owner: 'identity/oauth' },
  oauth_grants: { owner: 'identity/oauth' },
  oauth_tokens: { owner: 'identity/oauth' },
  orders: {
    owner: 'money/payments',
    writers: ['money/auto-reload', 'money/top-ups'],
    readers: ['identity/teams', 'platform/email'],
  },
  outgoing_mails: { owner: 'platform/email', readers: ['platform/observe'] },
  payment_event_marks: { owner: 'money/payments' },
  payment_events: { owner: 'money/payments' },
  payment_profiles: { owner: 'money/payments', readers: ['platform/email'] },
  payments: { owner: 'money/payments', readers: ['money/top-ups', 'platform/email'] },
  queued_call_states: {
    owner: 'calls/jobs',
    // Admission inserts the credential, a running call its checkpoint.
    writers: ['calls/admission', 'calls/execution', 'catalog/credentials'],
  },
  rate_windows: { owner: 'core/limits' },
  receipt_keys: { owner: 'calls/receipts' },
  reconcile_runs: { owner: 'operations/operator' },
  refunds: { owner: 'money/payments' },
  retention_marks: { owner: 'operations/retention', writers: ['usage'] },
  reviews: { owner: 'catalog/reviews' },
  sessions: { owner: 'identity/sessions' },
  tool_switches: { owner: 'catalog/tools' },
  usage_days: { owner: 'usage' },
  usage_records: {
    owner: 'usage',
    readers: ['calls/jobs', 'calls/receipts', 'catalog/tools', 'money/billing'],
  },
  usage_rollups: { owner: 'usage', readers: ['catalog/reviews', 'catalog/tools', 'identity/teams'] },
  webhook_attempts: { owner: 'platform/webhooks' },
  webhook_deliveries: { owner: 'platform/webhooks' },
  webhook_endpoints: { owner: 'platform/webhooks', readers: ['platform/email'] },
  webhook_secrets: { owner: 'platform/webhooks' },
  verification_tokens: { owner: 'identity/sessions' },
};
