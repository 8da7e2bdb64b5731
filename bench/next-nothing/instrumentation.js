// Without its own file, Next uses the gateway's from a parent folder.
export function register() {}
