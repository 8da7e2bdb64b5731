import { StatusView } from '@/components/operator/status-view';
import { operatorTitle, requireOperator } from '@/server/api/pages/require-operator';
import { createCaller } from '@/server/api/trpc/caller';
import { getAdminCommand } from '@/server/kit/admin-command';

export const generateMetadata = operatorTitle('Status');

export default async function OperatorStatusPage() {
  await requireOperator();
  const api = await createCaller();
  const [{ jobs }, alerts, { incidents }] = await Promise.all([
    api.operator.background(),
    api.operator.alerts.get(),
    api.operator.incidents.list(),
  ]);
  return (
    <StatusView
      jobs={jobs}
      alerts={alerts}
      incidents={incidents}
      backupCommand={`${getAdminCommand()} backup`}
    />
  );
}
