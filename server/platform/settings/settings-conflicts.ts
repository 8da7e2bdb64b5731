import { CALL_WINDOWS } from '../../core/limits/limits';
import type { Settings } from './settings';
import { SETTINGS, type SettingName } from './settings-table';

/** A limit that the other one always reaches first, so that it has no effect. */
type Pair = [smaller: SettingName, larger: SettingName];
const NEVER_ABOVE: Pair[] = [
  ...CALL_WINDOWS.flatMap((a) =>
    CALL_WINDOWS.flatMap((b): Pair[] => (a.seconds < b.seconds ? [[a.setting, b.setting]] : [])),
  ),
  ['PROVISION_PER_HOUR', 'PROVISION_PER_DAY'],
  ['PROVISION_PER_HOUR', 'PROVISION_TOTAL_PER_HOUR'],
  ['EMAILS_PER_ADDRESS', 'EMAILS_PER_NETWORK'],
  ['EMAILS_PER_NETWORK', 'EMAILS_TOTAL'],
  ['UPLOAD_LIMIT_MIB', 'ASSET_QUOTA_MIB'],
];
/** A setting that is read only with another one. */
const NEEDS: [name: SettingName, other: SettingName][] = [
  ['MAIL_FROM', 'SMTP_URL'],
  ['X402_NETWORK', 'X402_FACILITATOR_URL'],
];

/**
 * Finds settings that are valid, but have no effect together with others, and describes each.
 * @param env of a process whose settings are valid
 * @param settings what `env` was read as
 */
export function findConflicts(
  env: NodeJS.Dict<string>,
  settings: Pick<Settings, 'payPerCall' | 'stripe' | 'machinePaymentsSandbox' | 'x402'>,
): string[] {
  const isSet = (name: SettingName) => Boolean(env[name]?.trim());
  const read = (name: SettingName) => env[name]?.trim() || SETTINGS[name].default;
  const conflicts = NEVER_ABOVE.filter(
    ([smaller, larger]) => Number(read(smaller)) > Number(read(larger)),
  ).map(
    ([smaller, larger]) =>
      `${smaller}=${read(smaller)} has no effect, because ${larger}=${read(larger)} is reached first`,
  );
  for (const [name, other] of NEEDS)
    if (isSet(name) && !isSet(other)) conflicts.push(`${name} has no effect without ${other}`);
  if (isSet('ASSETS_DIR') && isSet('BLOB_READ_WRITE_TOKEN'))
    conflicts.push('ASSETS_DIR has no effect, because BLOB_READ_WRITE_TOKEN stores files elsewhere');
  const { payPerCall, stripe, machinePaymentsSandbox, x402 } = settings;
  if (payPerCall && !stripe?.networkId && !machinePaymentsSandbox && !x402)
    conflicts.push('PAY_PER_CALL=1 has no way to be paid: set STRIPE_NETWORK_ID or X402_FACILITATOR_URL');
  return conflicts;
}
