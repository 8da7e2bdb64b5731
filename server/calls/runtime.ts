import type { ContentRecorder } from './contents/content-recorder';
import type { RunningCalls } from './execution/running-calls';
import type { CallFileStore } from './files/call-file-store';
import type { CallFlush } from './flush';
import type { JobReader } from './jobs/read-job';
import type { ReceiptSigner } from './receipts/receipt-signer';
import type { RefusalRecorder } from './refusals/refusal-recorder';
import type { KeyStates } from './run-first/key-states';

declare module '../core/runtime' {
  interface Runtime {
    readonly flush: CallFlush;
    readonly callContents: ContentRecorder;
    readonly callFiles: CallFileStore;
    readonly keyStates: KeyStates;
    readonly running: RunningCalls;
    readonly refusals: RefusalRecorder;
    readonly readJob: JobReader;
    readonly receiptSigner: ReceiptSigner;
  }
}
