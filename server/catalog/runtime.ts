import type { CallCredentials } from './credentials/call-credentials';
import type { ProviderRegistry } from './credentials/provider-registry';
import type { ImportedTools } from './imports/imported-tools';
import type { Catalog } from './tools/catalog';
import type { ToolFacts } from './tools/tool-facts';
import type { ToolSwitches } from './tools/tool-switches';

declare module '../core/runtime' {
  interface Runtime {
    readonly catalog: Catalog;
    readonly credentials: CallCredentials;
    /** The providers whose keys calls can use; those of imported tools change at run time. */
    readonly slots: ProviderRegistry;
    /** The imported tools; every process sees a change within a second. */
    readonly imports: ImportedTools;
    readonly facts: ToolFacts;
    /** Which built-in tools the operator has disabled. */
    readonly switches: ToolSwitches;
  }
}
