import type { AssetOverview } from '@/server/assets/schema';
import { formatCount } from '../shared/format';
import { Card } from '../ui/card';
import { Meter } from '../ui/meter';
import { formatBytes } from '../shared/format-bytes';

/** How much of the account's room is taken, and how long files stay. */
export function QuotaCard({ overview }: { overview: AssetOverview }) {
  const { used_bytes: used, quota_bytes: quota, retention_days: days, upload_limit_bytes: limit } = overview;
  const words = `${formatBytes(used)} of ${formatBytes(quota)} used`;
  return (
    <Card className="flex flex-col gap-2 px-4 py-3.5 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm">
        <p className="font-medium">{words}</p>
        <p className="text-muted">
          Files may have {formatBytes(limit)} each and are kept for {formatCount(days, 'day')}.
        </p>
      </div>
      <Meter label="Room used by files" value={used} max={quota} valueText={words} />
      {used >= quota * 0.9 && (
        <p className="text-sm text-warning">
          {used >= quota ? 'There is no room left.' : 'There is little room left.'} Delete files you no longer
          need: uploads that do not fit are refused, and so are calls whose files do not.
        </p>
      )}
    </Card>
  );
}
