import type { ContentRecorder } from './contents/content-recorder';
import type { RunningCalls } from './execution/running-calls';
import type { EarlyCalls } from './fast-path/early-calls';
import type { FastPathBackoff } from './fast-path/fast-path-backoff';
import type { CallFlush } from './flush';
import type { JobReader } from './jobs/read-job';
import type { ReceiptSigner } from './receipts/receipt-signer';

declare module '../core/runtime' {
  interface Runtime {
    readonly flush: CallFlush;
    readonly callContents: ContentRecorder;
    readonly fastPathBackoff: FastPathBackoff;
    readonly earlyCalls: EarlyCalls;
    readonly running: RunningCalls;
    readonly readJob: JobReader;
    readonly receiptSigner: ReceiptSigner;
  }
}
