import type { Runtime } from '../../core/runtime';
import { slotContext, type ToolSlot } from './imported';

/** The platform's own value of a slot; null where there is none, or none that this gateway can open: the log says so. */
export function openSlot({ ports, log }: Pick<Runtime, 'ports' | 'log'>, slot: ToolSlot): string | null {
  if (slot.sealed === null) return null;
  try {
    return ports.vault.open(slot.sealed, slotContext(slot));
  } catch (error) {
    log.error("the platform's credential of an imported tool does not open", {
      tool: slot.tool,
      slot: slot.slot,
      error,
    });
    return null;
  }
}
