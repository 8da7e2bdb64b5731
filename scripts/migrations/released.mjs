/** The last migration of the release before this version: both run at once during an upgrade. Moved on by each release. */
export const RELEASED = '0012_imported_tools';
