import type { AssetOverview } from '@/server/assets/schema';
import { formatCount } from '../shared/format';
import { formatBytes } from '../shared/format-bytes';
import { Card } from '../ui/card';
import { Meter } from '../ui/meter';

/** Storage used of the account's quota, the upload limit and the retention period. */
export function QuotaCard({ overview }: { overview: AssetOverview }) {
  const { used_bytes: used, quota_bytes: quota, retention_days: days, upload_limit_bytes: limit } = overview;
  const words = `${formatBytes(used)} of ${formatBytes(quota)} used`;
  return (
    <Card className="flex flex-col gap-2 px-4 py-3.5 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 text-sm">
        <p className="font-medium">{words}</p>
        <p className="text-muted">
          Up to {formatBytes(limit)} per file. Files are kept for {formatCount(days, 'day')}.
        </p>
      </div>
      <Meter label="Storage used" value={used} max={quota} valueText={words} />
      {used >= quota * 0.9 && (
        <p className="text-sm text-warning">
          {used >= quota ? 'Your storage is full.' : 'Your storage is almost full.'} Delete files you no
          longer need: uploads that exceed the quota are rejected, and calls that create such files fail.
        </p>
      )}
    </Card>
  );
}
