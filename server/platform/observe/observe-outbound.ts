import { SkillError } from '../../core/errors/skill-error';
import type { OutboundFetch } from '../ports/outbound-fetch';
import type { Ports } from '../ports/ports';
import type { Observer } from './observer';

/** Wraps the ports so that outbound requests of tools are counted and traced. */
export function observePorts(observer: Observer, ports: Ports): Ports {
  return {
    ...ports,
    outbound: observeOutbound(observer, ports.outbound),
    outboundTo: (origin) => observeOutbound(observer, ports.outboundTo(origin)),
  };
}

/** Traces carry only the host of a request: the rest of its URL may contain a secret. */
function observeOutbound({ metrics, tracing }: Observer, fetch: OutboundFetch): OutboundFetch {
  const counted: OutboundFetch = async (input, init) => {
    const began = performance.now();
    let outcome = 'failed';
    try {
      const response = await fetch(input, init);
      outcome = `${Math.floor(response.status / 100)}xx`;
      return response;
    } catch (error) {
      if (error instanceof SkillError) outcome = 'refused';
      if (init?.signal?.aborted) outcome = 'aborted';
      throw error;
    } finally {
      metrics.outbound.observe({ outcome }, (performance.now() - began) / 1000);
    }
  };
  if (!tracing) return counted;
  return (input, init) => {
    const request = input instanceof Request ? input : null;
    const method = init?.method ?? request?.method ?? 'GET';
    return tracing.outbound(method.toUpperCase(), getHost(request?.url ?? String(input)), () =>
      counted(input, init),
    );
  };
}

function getHost(text: string): string {
  return URL.canParse(text) ? new URL(text).hostname : 'invalid';
}
