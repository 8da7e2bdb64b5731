import type { Runtime } from '../../core/runtime';
import type { PreparedCall } from '../prepare/prepare-call';
import type { AdmissionGate } from './admission-gate';
import { type Attempt, attemptCall } from './attempt-call';
import { AttemptStop } from './attempt-stop';
import { CallServices } from './call-services';
import { redactAttempt } from './redact-attempt';
import { RunLog } from './run-log';

interface AttemptOptions {
  /** An earlier attempt started and died with its process. */
  resumed?: boolean;
  /** Of a call that is not admitted yet. */
  gate?: AdmissionGate | undefined;
  /** Sequence number of the last log line of earlier attempts. */
  lastSeq?: number | undefined;
}

/** One attempt at a call: what stops it, what it logs, and the services its handler uses. */
export class CallAttempt {
  readonly stop = new AttemptStop();
  readonly log: RunLog;
  readonly services: CallServices;
  readonly gate: AdmissionGate | undefined;
  readonly #runtime: Runtime;
  readonly #call: PreparedCall;
  #made: Promise<Attempt> | undefined;

  constructor(runtime: Runtime, call: PreparedCall, options: AttemptOptions = {}) {
    const { resumed = false, gate, lastSeq } = options;
    this.#runtime = runtime;
    this.#call = call;
    this.log = new RunLog(lastSeq);
    this.gate = gate;
    this.services = new CallServices(runtime, call, resumed, gate);
  }

  get callId(): string {
    return this.#call.id;
  }

  /** Runs the handler; later calls return the same attempt. Never rejects. */
  run(): Promise<Attempt> {
    this.#made ??= this.#runtime.observer.span('gateway.call.attempt', this.#spanOptions(), () =>
      this.#attempt(),
    );
    return this.#made;
  }

  #attempt(): Promise<Attempt> {
    const { skill, input, caller, credential } = this.#call;
    const { log } = this;
    const attempt = attemptCall(skill, {
      input,
      deadlineMs: this.#runtime.settings.handlerTimeoutSeconds * 1000,
      stop: this.stop,
      services: this.services,
      caller,
      onLog: (message) => log.add(credential ? credential.redact(message) : message),
      onProgress: (fraction) => log.setProgress(fraction),
      onOutlived: (handler) => this.#runtime.running.trackOutliving(this.#call.id, handler),
    });
    return credential ? attempt.then((made) => redactAttempt(made, credential)) : attempt;
  }

  #spanOptions() {
    const { id, tool, skill } = this.#call;
    return {
      attributes: { 'gateway.call.id': id, 'gateway.tool': tool.name, 'gateway.skill': skill.name },
      failure: (attempt: Attempt) => (attempt.ok ? null : attempt.code),
    };
  }
}
