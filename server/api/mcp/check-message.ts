import { INVALID_PARAMS, INVALID_REQUEST } from '@modelcontextprotocol/server';
import { isObject } from './json-rpc';

const EXAMPLE = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}';

/** What is wrong with the form of a message, as a JSON-RPC error. */
interface Fault {
  readonly status: 200 | 400;
  readonly code: number;
  readonly message: string;
}

/** Finds what the protocol handler would refuse in words that name no field, or with raw issues. */
export function findFault(body: unknown): Fault | null {
  if (Array.isArray(body)) return refuse('A batch of messages is not accepted: send one message at a time.');
  if (!isObject(body)) return refuse(`The body must be a single JSON-RPC 2.0 message, such as ${EXAMPLE}.`);
  const { jsonrpc, method, params } = body;
  if (method === undefined && ('result' in body || 'error' in body)) return null;
  if (typeof method !== 'string')
    return refuse(`The message has no method. Send a JSON-RPC 2.0 message, such as ${EXAMPLE}.`);
  if (jsonrpc !== '2.0') return refuse('The message needs the field "jsonrpc": "2.0".');
  return method === 'tools/call' ? findCallFault(isObject(params) ? params : {}) : null;
}

function findCallFault({ name, arguments: args }: Record<string, unknown>): Fault | null {
  const fault = (message: string): Fault => ({ status: 200, code: INVALID_PARAMS, message });
  if (typeof name !== 'string')
    return fault('params.name must be the name of a tool in tools/list, such as "search_tools".');
  if (args === undefined || isObject(args)) return null;
  const got = Array.isArray(args) ? 'a list' : args === null ? 'null' : `a ${typeof args}`;
  return fault(`params.arguments must be an object; got ${got}. get_tool and tools/list have the fields.`);
}

function refuse(message: string): Fault {
  return { status: 400, code: INVALID_REQUEST, message };
}
