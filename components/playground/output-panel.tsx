'use client';

import { RunHistory } from './run-history';
import { RunView } from './run-view';
import type { Run } from './runs';

interface OutputPanelProps {
  runs: readonly Run[];
  shown: Run;
  onShow: (number: number) => void;
  onCancel: (run: Run) => void;
  onReuse: (run: Run) => void;
}

/** The selected run, and the earlier ones. */
export function OutputPanel({ runs, shown, onShow, onCancel, onReuse }: OutputPanelProps) {
  return (
    <>
      <RunView key={shown.number} run={shown} onCancel={onCancel} onReuse={onReuse} />
      <RunHistory runs={runs} shown={shown} onShow={onShow} />
    </>
  );
}
