import type { SlotBook } from './credentials/slot-book';
import type { ImportedTools } from './imports/imported-tools';
import type { Catalog } from './tools/catalog';
import type { ToolFacts } from './tools/tool-facts';
import type { ToolSwitches } from './tools/tool-switches';

declare module '../core/runtime' {
  interface Runtime {
    readonly catalog: Catalog;
    /** The providers whose credentials calls can be made with; those of imported tools come and go. */
    readonly slots: SlotBook;
    /** The tools that the operator has brought: on the shelf of every process, within a second of a change. */
    readonly imports: ImportedTools;
    readonly facts: ToolFacts;
    /** Which built-in tools the operator has switched off. */
    readonly switches: ToolSwitches;
  }
}
