import type { AuditRow } from '@/server/operations/operator/schema';
import { formatCount } from '../shared/format';
import { formatMoney } from '../ui/money';

const ACTIONS: Readonly<Record<string, string>> = {
  'account.claim': 'Account claimed',
  'account.create': 'Account created',
  'account.credit': 'Credit granted',
  'account.delete': 'Account deleted',
  'account.export': 'Account data exported',
  'account.freeze': 'Account frozen',
  'account.limits': 'Account limits changed',
  'account.view': 'Account viewed',
  'account.unfreeze': 'Account unfrozen',
  'alert.test': 'Test alert sent',
  backup: 'Backup made',
  'billing.checkout': 'Checkout started',
  'billing.details': 'Billing details changed',
  'billing.invoice': 'Invoice issued',
  'billing.preferences': 'Billing preferences changed',
  'call_contents.disable': 'Storing of call contents turned off',
  'call_contents.enable': 'Storing of call contents turned on',
  'credential.default': 'Default provider key chosen',
  'credential.remove': 'Provider key removed',
  'credential.save': 'Provider key saved',
  'email.change': 'Email address changed',
  'email.request': 'Change of email address requested',
  'email.stop': 'Change of email address stopped',
  'email.undo': 'Change of email address undone',
  'factor.disable': 'Two-step verification turned off',
  'factor.enable': 'Two-step verification turned on',
  'factor.renew_codes': 'Recovery codes replaced',
  'factor.reset': 'Two-step verification reset',
  'incident.post': 'Incident posted',
  'incident.resolve': 'Incident resolved',
  'incident.update': 'Incident updated',
  'job.cancel': 'Job cancelled',
  'key.add_credits': 'Credit limit of a key raised',
  'key.set_credit_limit': 'Credit limit of a key changed',
  'key.create': 'Key created',
  'key.revoke': 'Key revoked',
  'key.rotate': 'Key rotated',
  'key.set_manages_account': 'Permissions of a key changed',
  'key.update': 'Rules of a key changed',
  'mail.resend': 'Email sent again',
  'oauth.allow': 'App connected',
  'oauth.disconnect': 'App disconnected',
  'oauth.replace': 'App connected again',
  'oauth.reuse': 'App disconnected: code or token reused',
  'oauth.revoke': 'App revoked its access',
  'payment.credit': 'Payment credited',
  'payment.dispute_closed': 'Dispute closed',
  'payment.dispute_opened': 'Dispute opened',
  'payment.refund': 'Payment refunded',
  'payment.refused': 'Payment refused',
  'plan.create': 'Plan created',
  'plan.delete': 'Plan deleted',
  'plan.update': 'Plan changed',
  'promo.create': 'Promo code created',
  'promo.deactivate': 'Promo code deactivated',
  'promo.redeem': 'Promo code redeemed',
  'receipts.rotate': 'Signing key of receipts rotated',
  'reconcile.run': 'Reconcile started',
  'reload.declined': 'Auto-recharge declined',
  'reload.stopped': 'Auto-recharge turned off',
  restore: 'Backup restored',
  'sign_up.invite': 'Person invited to sign up',
  'sign_up.policy': 'Sign-up policy changed',
  'sign_up.uninvite': 'Invitation to sign up deleted',
  sweep: 'Retention sweep started',
  'team.create': 'Team created',
  'team.default': 'Default team changed',
  'team.delete': 'Team deleted',
  'team.invitation_decline': 'Team invitation declined',
  'team.invitation_revoke': 'Team invitation revoked',
  'team.invite': 'Person invited to a team',
  'team.invite_again': 'Team invitation sent again',
  'team.join': 'Team joined',
  'team.leave': 'Team left',
  'team.member_limit': 'Spending limit of a member changed',
  'team.member_remove': 'Team member removed',
  'team.rename': 'Team renamed',
  'team.role': 'Role of a member changed',
  'team.transfer': 'Team transferred',
  'tool.approve': 'Tool approved',
  'tool.check': 'Tool checked',
  'tool.disable': 'Tool switched off',
  'tool.enable': 'Tool switched on',
  'tool.import': 'Tool imported',
  'tool.price': 'Price changed',
  'tool.remove': 'Tool removed',
  'tool.set': 'Tool changed',
  'usage.seed': 'Example usage added',
  'vault.rotate': 'Encryption key rotated',
  'webhook.create': 'Webhook endpoint created',
  'webhook.delete': 'Webhook endpoint deleted',
  'webhook.disabled': 'Webhook endpoint turned off after failures',
  'webhook.replay': 'Webhook event replayed',
  'webhook.replay_all': 'Failed webhook events replayed',
  'webhook.rotate_secret': 'Signing secret of a webhook rotated',
  'webhook.update': 'Webhook endpoint changed',
};

const ACTORS: Readonly<Record<string, string>> = {
  client: 'App',
  key: 'API key',
  operator: 'Operator',
  system: 'Gateway',
  user: 'Person',
};

const FIELDS: Readonly<Record<string, string>> = {
  client: 'app',
  days: 'days stored',
  days_before: 'days stored before',
  is_default: 'default',
  kid: 'signing key',
  made_at: 'backup of',
  manages_account: 'can manage the account',
  new_people_only: 'new people only',
  slot: 'provider',
  vault_key: 'encryption key',
  why: 'reason',
};

/** `Account frozen` of `account.freeze`. */
export function describeAction(action: string): string {
  const words = action.replaceAll('_', ' ').replace('.', ': ');
  return ACTIONS[action] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** `Person` and `user_1` of `user:user_1`. */
export function describeActor(actor: string): { label: string; id: string | null } {
  const [kind = '', ...rest] = actor.split(':');
  const label = ACTORS[kind];
  return label && rest.length > 0 ? { label, id: rest.join(':') } : { label: actor, id: null };
}

/** `limit: $5.00` of `limit_usd` and 5. */
export function describeDetail(name: string, value: AuditRow['details'][string]): string {
  const unit = typeof value === 'number' ? (/(?:^|_)(usd|cents|seconds|percent)$/.exec(name)?.[1] ?? '') : '';
  const stem = name.replace(/_?(?:usd|cents|seconds|percent)$/, '') || 'amount';
  return `${FIELDS[name] ?? stem.replaceAll('_', ' ')}: ${writeValue(value, unit)}`;
}

function writeValue(value: AuditRow['details'][string], unit: string): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (unit === 'usd') return formatMoney(value);
  if (unit === 'cents') return formatMoney(value / 100);
  if (unit === 'seconds') return formatCount(value, 'second');
  return unit === 'percent' ? `${value}%` : String(value);
}
