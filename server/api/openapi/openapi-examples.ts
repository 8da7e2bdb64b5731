import type { AssetMeta, UploadResult } from '../../assets/schema';
import type { Job } from '../../calls/jobs/schema';
import type { CallResult } from '../../calls/result/schema';
import type { BatchResult, DryRunResult } from '../../calls/schema';
import type { AccountRequirement, Requirement } from '../../catalog/credentials/schema';
import { mapWindows } from '../../core/limits/limits';
import type { ApiKey, CreatedApiKey } from '../../identity/keys/schema';
import type { BillingBalance, Checkout, Preferences } from '../../money/billing/schema';
import type { MachineTopUpResult } from '../../money/top-ups/schema';

type Examples = Record<string, { summary?: string; value: unknown }>;

const PREFERENCES = {
  autoReloadEnabled: true,
  autoReloadThreshold: 5,
  autoReloadAmount: 20,
  autoReloadDailyLimit: 500,
  budgetLimit: null,
  budgetLimitMax: null,
  spent_this_month_usd: 12.5,
  spending_resets_at: '2026-12-01T00:00:00.000Z',
  budgetAlerts: true,
  saved_card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 },
  auto_reload_stopped_at: null,
  auto_reload_stopped_reason: null,
} satisfies Preferences;

const KEY = {
  id: 'key_01kp9vx3zq8h4m2n6r7s5t0w',
  name: 'my agent',
  key_prefix: 'tg_live_4fK2…9xQa',
  status: 'active',
  credits: 5,
  credits_used: 0,
  manages_account: false,
  expires_at: '2027-03-01T00:00:00.000Z',
  expired: false,
  allowed_tools: ['text', 'codes.qr'],
  allowed_ips: ['203.0.113.0/24'],
  spend_limit: {
    amount_usd: 5,
    period: 'day',
    spent_usd: 1.25,
    resets_at: '2026-11-22T00:00:00.000Z',
  },
  rate_limits: { ...mapWindows(() => null), per_minute: 20, concurrent: 2 },
  tags: ['staging'],
  previous_secret_expires_at: null,
  created_at: '2026-11-21T09:30:00.000Z',
  last_used_at: null,
} satisfies ApiKey;

const REQUIREMENT = {
  name: 'openai',
  type: 'api_key',
  displayName: 'OpenAI',
  description: 'Chat, speech, transcription and embeddings by OpenAI.',
  acquireUrl: 'https://platform.openai.com/api-keys',
  setupGuide: 'Sign in at platform.openai.com, open API keys, choose "Create new secret key" and copy it.',
  registeredBy: ['embeddings', 'language-model'],
} satisfies Requirement;

const ACCOUNT_REQUIREMENT = {
  ...REQUIREMENT,
  configured: true,
  entries: [
    {
      label: 'default',
      masked: 'sk-p…9xQa',
      is_default: true,
      created_at: '2026-11-21T09:30:00.000Z',
      updated_at: '2026-11-21T09:30:00.000Z',
      last_used_at: null,
    },
  ],
} satisfies AccountRequirement;

const ASSET_ID = 'asset_01kp9vx3zq8h4m2n6r7s5t0wq3b7c9d1e5f7g2h4';

const UPLOAD = {
  asset_id: ASSET_ID,
  url: `http://localhost:3000/files/${ASSET_ID}/report.pdf`,
  page_url: `http://localhost:3000/assets/${ASSET_ID}`,
  content_type: 'application/pdf',
  size_bytes: 70_000,
} satisfies UploadResult;

const CALL_RESULT = {
  id: 'call_01kp9vx3zq8h4m2n6r7s5t0w',
  status: 'success',
  output: { result: '14', value: 14, type: 'number' },
  usage: { cost: 0, currency: 'USD', credits_remaining: 4.98, raw_cost: 0, markup: 0 },
  meta: { tool: 'math', skill: 'evaluate', latency_ms: 3, billing: 'personal', byok: false },
  billed: false,
} satisfies CallResult;

const LONG_RESULT = {
  ...CALL_RESULT,
  output: { slept_seconds: 45, log_lines: 3 },
  meta: { tool: 'diagnostics', skill: 'sleep', latency_ms: 45_012, billing: 'personal', byok: false },
} satisfies CallResult;

const JOB = {
  jobId: 'job_01kp9vx3zq8h4m2n6r7s5t0w',
  job_id: 'job_01kp9vx3zq8h4m2n6r7s5t0w',
  call_id: 'call_01kp9vx3zq8h4m2n6r7s5t0w',
  status: 'running',
  tool: 'diagnostics',
  skill: 'sleep',
  logs: ['slept 15.0 of 45 s', 'slept 30.0 of 45 s'],
  elapsed_seconds: 31.2,
  progress: 0.667,
  created_at: '2026-11-21T09:30:00.000Z',
} satisfies Job;

/** Keyed by `METHOD /path`. */
export const REQUEST_EXAMPLES: Record<string, Examples> = {
  'POST /v1/tools/call': {
    call: {
      summary: 'Run a skill',
      value: { tool: 'math', skill: 'evaluate', input: { expression: '2 * (3 + 4)' } },
    },
    dry_run: {
      summary: 'Only validate and price it',
      value: { tool: 'math', skill: 'evaluate', input: { expression: '2 * (3 + 4)' }, dry_run: true },
    },
    limited: {
      summary: 'Run it if it costs at most a cent',
      value: {
        tool: 'web-reader',
        skill: 'read',
        input: { url: 'https://example.com/' },
        max_cost_usd: 0.01,
      },
    },
  },
  'POST /v1/tools/batch': {
    batch: {
      summary: 'Two calls at once',
      value: {
        calls: [
          { tool: 'math', skill: 'evaluate', input: { expression: '2 * (3 + 4)' } },
          { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } },
        ],
      },
    },
  },
  'POST /v1/billing/checkout': {
    ten_dollars: { value: { amount_usd: 10 } },
    for_a_team: {
      summary: 'For a team, saving the card',
      value: { amount_usd: 50, save_card: true, billing: 'acme' },
    },
  },
  'POST /v1/billing/invoices': {
    payment: { value: { payment_id: 'pi_123' } },
  },
  'PUT /v1/billing/preferences': {
    limit: { summary: 'At most 50 dollars a month', value: { budgetLimit: 50 } },
    reload: { value: { autoReloadEnabled: true, autoReloadThreshold: 5, autoReloadAmount: 20 } },
  },
  'POST /v1/billing/machine-topup': { topup: { value: { amount_usd: 5 } } },
  'POST /v1/keys': { key: { value: { name: 'my agent', credits: 5 } } },
  'PUT /v1/account/requirements/{name}': {
    first: { summary: 'The first key for a provider', value: { value: 'sk-proj-your-own-key' } },
    another: {
      summary: 'Another key, which becomes the default',
      value: { value: 'sk-proj-your-own-key', label: 'work', is_default: true },
    },
  },
  'PATCH /v1/keys/{id}': {
    rules: {
      summary: 'A key for one tool, with a daily limit',
      value: { allowed_tools: ['text'], spend_limit: { amount_usd: 5, period: 'day' }, tags: ['staging'] },
    },
  },
  'POST /v1/keys/{id}/rotate': {
    grace: { summary: 'The current secret works for another hour', value: { grace_seconds: 3600 } },
  },
  'POST /v1/keys/{id}/credits': { credits: { value: { amount: 5 } } },
  'POST /v1/webhooks': {
    endpoint: { value: { url: 'https://example.com/hooks', events: ['job.completed', 'job.failed'] } },
  },
  'PATCH /v1/webhooks/{id}': { events: { value: { events: ['job.failed'] } } },
  'POST /v1/webhooks/{id}/rotate-secret': { overlap: { value: { overlap_hours: 24 } } },
  'POST /v1/auth/claim': { claim: { value: { token: 'clm_…' } } },
  'POST /v1/reviews': { review: { value: { tool: 'text', rating: 5, review: 'Exact and fast.' } } },
};

export const RESPONSE_EXAMPLES: Record<string, Examples> = {
  'POST /v1/tools/batch': {
    batch: {
      summary: 'One success, one without enough credit',
      value: {
        results: [
          CALL_RESULT,
          {
            id: null,
            status: 'error',
            error: {
              code: 'INSUFFICIENT_CREDITS',
              message: 'The call can cost $0.01; this account has $0.00.',
              type: 'billing',
              resolution_hint: 'Add credit in the dashboard under Billing, or call a free skill.',
              limit: 'account',
              billed: false,
              request_id: 'req_01kp9vx3zq8h4m2n6r7s5t0w',
            },
            meta: { tool: 'diagnostics', skill: 'spend', latency_ms: 2 },
            billed: false,
          },
        ],
      } satisfies BatchResult,
    },
  },
  'GET /v1/jobs/{jobId}': {
    running: { summary: 'Still running', value: JOB },
    completed: {
      summary: 'Completed',
      value: {
        ...JOB,
        status: 'completed',
        logs: [...JOB.logs, 'slept 45.0 of 45 s'],
        elapsed_seconds: 45.02,
        progress: 1,
        result: LONG_RESULT,
        output: LONG_RESULT.output,
        usage: LONG_RESULT.usage,
        finished_at: '2026-11-21T09:30:45.020Z',
      } satisfies Job,
    },
  },
  'POST /v1/jobs/{jobId}/cancel': {
    cancelled: { value: { cancelled: true, job_id: 'job_01kp9vx3zq8h4m2n6r7s5t0w' } },
  },
  'POST /v1/tools/call': {
    call: { summary: 'A call', value: CALL_RESULT },
    dry_run: {
      summary: 'A dry run',
      value: {
        status: 'dry_run',
        valid: true,
        input_valid: true,
        input_errors: [],
        credentials_ok: true,
        missing_credentials: [],
        billing: { balance_usd: 4.98, sufficient: true },
        rate_limit: { remaining: 59, limit: 60 },
        estimated_cost_usd: 0,
        quote: {
          id: 'quote_AYzAm8kGAABQAAAA8pWX1mT4uQ7yWk1cR0bJ3g',
          max_usd: 0,
          expires_at: '2026-11-21T09:40:00.000Z',
        },
        availability: 'ready',
        claim_required: false,
      } satisfies DryRunResult,
    },
  },
  'POST /v1/assets/upload': { uploaded: { value: UPLOAD } },
  'GET /v1/assets/{assetId}/meta': {
    made: {
      summary: 'A file that a tool made',
      value: {
        asset_id: UPLOAD.asset_id,
        content_type: 'image/png',
        size_bytes: 70_000,
        tool: 'image',
        skill: 'resize',
        created_at: '2026-11-21T09:30:00.000Z',
        has_thumbnail: true,
        filename: 'logo-64.png',
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      } satisfies AssetMeta,
    },
  },
  'GET /v1/billing/balance': {
    balance: {
      value: {
        available_usd: 4.98,
        plan: 'prepaid',
        accounts: [
          {
            id: 'acct_01kp9vx3zq8h4m2n6r7s5t0w',
            type: 'personal',
            slug: null,
            name: 'Ada',
            role: 'owner',
            available_usd: 4.98,
            disputed: false,
          },
        ],
        top_up_hint: 'Add credit in the dashboard.',
      } satisfies BillingBalance,
    },
  },
  'POST /v1/billing/checkout': {
    checkout: {
      value: {
        url: 'https://checkout.stripe.com/c/pay/cs_live_…',
        credit_usd: 10,
        fee_usd: 0.8,
        total_usd: 10.8,
        order_id: 'order_01kp9vx3zq8h4m2n6r7s5t0w',
        expires_at: '2026-11-21T13:00:00.000Z',
      } satisfies Checkout,
    },
  },
  'POST /v1/billing/portal': { portal: { value: { url: 'https://billing.stripe.com/p/session/…' } } },
  'GET /v1/billing/preferences': { preferences: { value: PREFERENCES } },
  'PUT /v1/billing/preferences': { preferences: { value: { ...PREFERENCES, budgetLimit: 50 } } },
  'POST /v1/billing/machine-topup': {
    paid: {
      summary: 'The paid retry',
      value: {
        credited_usd: 5,
        charged_usd: 5.8,
        balance_usd: 9.98,
        payment_ref: 'pi_3QK9vX2eZvKYlo2C1f4nR8aB',
      } satisfies MachineTopUpResult,
    },
  },
  'POST /v1/keys': {
    key: { value: { ...KEY, secret: 'tg_live_4fK2…9xQa (shown in full only once)' } satisfies CreatedApiKey },
  },
  'GET /v1/keys': { keys: { value: { keys: [KEY] } } },
  'GET /v1/keys/{id}': { key: { value: KEY } },
  'PATCH /v1/keys/{id}': { key: { value: KEY } },
  'POST /v1/keys/{id}/rotate': {
    key: {
      value: {
        ...KEY,
        previous_secret_expires_at: '2026-11-21T10:30:00.000Z',
        secret: 'tg_live_4fK2…9xQa (shown in full only once)',
      } satisfies CreatedApiKey,
    },
  },
  'POST /v1/keys/{id}/credits': { key: { value: { ...KEY, credits: 10 } } },
  'DELETE /v1/keys/{id}': { revoked: { value: { success: true, id: KEY.id } } },
  'GET /v1/requirements': { requirements: { value: { requirements: [REQUIREMENT] } } },
  'GET /v1/account/requirements': { requirements: { value: { requirements: [ACCOUNT_REQUIREMENT] } } },
  'PUT /v1/account/requirements/{name}': { saved: { value: ACCOUNT_REQUIREMENT } },
  'DELETE /v1/account/requirements/{name}': { removed: { value: { success: true, name: 'openai' } } },
};
