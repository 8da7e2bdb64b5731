import { SkillError } from '../../core/errors/skill-error';
import type { OutboundFetch } from '../ports/outbound-fetch';
import type { Ports } from '../ports/ports';
import type { Observer } from './observer';

/** The same ports, with what tools ask of the outside counted and traced. */
export function observePorts(observer: Observer, ports: Ports): Ports {
  return {
    ...ports,
    outbound: observeOutbound(observer, ports.outbound),
    outboundTo: (origin) => observeOutbound(observer, ports.outboundTo(origin)),
  };
}

/** Where a tool asks is told by host alone: the rest of an address may be a secret. */
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
    return tracing.outbound(method.toUpperCase(), hostOf(request?.url ?? String(input)), () =>
      counted(input, init),
    );
  };
}

function hostOf(text: string): string {
  return URL.canParse(text) ? new URL(text).hostname : 'invalid';
}
