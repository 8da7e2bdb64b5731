import type { Server } from 'node:http';
import { BootError, errorCode } from '../../platform/process/boot-error';
import type { Settings } from '../../platform/settings/settings';

const NEXT_PORTS_TRIED = 50;

/**
 * Binds the configured port, or the next free one in a local start without PORT.
 * @returns the bound port
 * @throws BootError that names the setting to change
 */
export async function listen(
  server: Server,
  { host, port, production }: Pick<Settings, 'host' | 'port' | 'production'>,
  explicitPort: boolean,
  log: (message: string) => void,
): Promise<number> {
  const last = production || explicitPort || port === 0 ? port : port + NEXT_PORTS_TRIED;
  for (let candidate = port; ; candidate++) {
    try {
      const bound = await bind(server, host, candidate);
      if (candidate !== port) log(`Port ${port} is in use: using ${bound} instead (set PORT to choose).`);
      return bound;
    } catch (error) {
      if (errorCode(error) === 'EADDRINUSE' && candidate < last) continue;
      throw cannotListen(host, candidate, error);
    }
  }
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

function cannotListen(host: string, port: number, cause: unknown): BootError {
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} is in use by another program: stop it, or set PORT to a free port (0 for any)`,
    EACCES: `this user may not bind port ${port}: set PORT to a port above 1023`,
    EADDRNOTAVAIL: `this machine has no address ${host}: set HOST to one of its addresses, such as 127.0.0.1 or 0.0.0.0`,
    ENOTFOUND: `the host name ${host} cannot be resolved: set HOST to an address of this machine`,
  };
  const reason = reasons[errorCode(cause) ?? ''] ?? String(cause);
  return new BootError(`Cannot listen on ${host}:${port}: ${reason}.`, { cause });
}
