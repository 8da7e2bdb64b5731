// A client of the gateway that tells apart what it was answered and what was cut off on the way.

/**
 * @typedef {object} Answer
 * @property {number} status 0: no answer came, or it broke off
 * @property {Record<string, string>} headers
 * @property {any} body
 * @property {{ event: string, data: any }[]} events of a stream, also of one that broke off
 */

/**
 * @typedef {object} Sending
 * @property {unknown} [json]
 * @property {Record<string, string>} [headers]
 * @property {AbortSignal} [signal]
 */

/**
 * @param {string} url
 * @param {string} key
 * @param {string} method
 * @param {Sending} [sending]
 * @returns {Promise<Answer>} never rejects: a broken line is an answer of status 0
 */
export async function send(url, key, method, { json, headers = {}, signal } = {}) {
  /** @type {Answer} */
  const answer = { status: 0, headers: {}, body: null, events: [] };
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? undefined : JSON.stringify(json),
      signal,
    });
    answer.headers = Object.fromEntries(response.headers);
    if (answer.headers['content-type']?.startsWith('text/event-stream')) await readEvents(response, answer);
    else answer.body = await response.json();
    answer.status = response.status;
  } catch {
    answer.status = 0;
  }
  return answer;
}

/**
 * Fills in events as they come; the result or error that ends them is the body.
 * @param {Response} response
 * @param {Answer} answer
 */
async function readEvents(response, answer) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const event = /^event: (.+)$/m.exec(part)?.[1];
      const data = /^data: (.+)$/m.exec(part)?.[1];
      if (event && data) answer.events.push({ event, data: JSON.parse(data) });
    }
  }
  const last = answer.events.at(-1);
  if (last?.event !== 'result' && last?.event !== 'error') throw new Error('The stream broke off');
  answer.body = last.data;
}

/** A call of the diagnostics tool, as a request body. */
export function diagnostics(/** @type {string} */ skill, /** @type {object} */ input) {
  return { tool: 'diagnostics', skill, input };
}

/** @param {number} usd @returns {number} whole micro-dollars */
export function microusd(usd) {
  return Math.round(usd * 1e6);
}
