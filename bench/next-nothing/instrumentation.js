// Without one of its own, Next takes the gateway's from the folder above.
export function register() {}
