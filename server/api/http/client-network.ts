import type { IncomingMessage } from 'node:http';
import { clientNetwork } from '../../core/limits/client-subject';
import { clientIp } from './request-context';

/** The network of the client that sent a request to the front server. */
export function getClientNetwork({ headers, socket }: IncomingMessage, trustedProxyHops: number): string {
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const remoteAddress = socket.remoteAddress ?? '';
  return clientNetwork(clientIp({ header, remoteAddress }, trustedProxyHops));
}
