/**
 * The last migration of the previous release, which runs during an upgrade. Updated by releases.
 */
export const RELEASED = '0012_imported_tools';
