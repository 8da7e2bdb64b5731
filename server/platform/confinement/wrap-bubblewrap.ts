import type { MountPlan, Sandbox } from './mount-plan';

/** Chromium's sandbox writes uid maps below /proc, so only these parts of it are made read only. */
const KERNEL_SETTINGS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'];

/**
 * bubblewrap's arguments that precede the program. bubblewrap itself is the namespace's first
 * process, so that the program can be killed.
 */
export function wrapWithBubblewrap(plan: MountPlan, sandbox: Sandbox): string[] {
  const args = ['--die-with-parent', '--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts'];
  if (!sandbox.network) args.push('--unshare-net');
  if (sandbox.nested) args.push('--uid', '1000', '--gid', '1000');
  else args.push('--disable-userns');
  args.push('--cap-drop', 'ALL');
  for (const path of plan.copies) args.push('--ro-bind', path, path);
  const readOnly: string[] = [];
  for (const mount of plan.mounts) {
    const { path } = mount;
    if (mount.kind === 'bind') args.push(mount.writable ? '--bind' : '--ro-bind', path, path);
    if (mount.kind === 'temporary') args.push('--tmpfs', path);
    if (mount.kind !== 'hide') continue;
    if (mount.file) {
      args.push('--ro-bind', '/dev/null', path);
    } else {
      args.push('--tmpfs', path);
      readOnly.push(path);
    }
  }
  args.push('--tmpfs', '/dev');
  for (const path of plan.devices) args.push('--dev-bind', path, path);
  args.push('--symlink', '/proc/self/fd', '/dev/fd', '--proc', '/proc');
  // Kernel settings belong to the machine's root, and a process started by root still has its uid.
  if (sandbox.nested) for (const name of KERNEL_SETTINGS) args.push('--ro-bind-try', name, name);
  else args.push('--remount-ro', '/proc');
  for (const path of ['/dev', ...readOnly, '/']) args.push('--remount-ro', path);
  args.push('--chdir', sandbox.cwd);
  return [...args, '--', ...CLEAN_ENVIRONMENT];
}

/** Removes what shells and bubblewrap add to the environment of the programs they start. */
export const CLEAN_ENVIRONMENT = ['env', '-u', 'PWD', '-u', 'OLDPWD', '-u', 'SHLVL', '-u', '_'];
