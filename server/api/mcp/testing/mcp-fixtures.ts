import {
  type CallToolResult,
  type ContentBlock,
  MissingRequiredClientCapabilityError,
  type Prompt,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { gatewaySurface } from '../gateway-surface';
import { Progress } from '../progress';
import type { McpPrompt, McpResources, McpSurface, McpTool } from '../surface';

/** A one-pixel PNG and a WAV without samples: the suite checks only types. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const embedded: ContentBlock = {
  type: 'resource',
  resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'Embedded.' },
};

function tool(name: string, run: McpTool['run'], inputSchema: object = {}): McpTool {
  const listed = { name, description: 'For tests', inputSchema: { type: 'object' as const, ...inputSchema } };
  return { listed, needsKey: false, payable: false, run };
}

const answering = (name: string, ...content: ContentBlock[]): McpTool =>
  tool(name, async (): Promise<CallToolResult> => ({ content }));

const tools: McpTool[] = [
  answering('test_simple_text', text('This is a simple text response for testing.')),
  answering('test_image_content', image),
  answering('test_audio_content', { type: 'audio', data: WAV, mimeType: 'audio/wav' }),
  answering('test_embedded_resource', embedded),
  answering('test_multiple_content_types', text('Multiple content types test:'), image, embedded),
  answering('test_logging_tool', text('Nothing is logged to clients.')),
  answering('test_streaming_elicitation', text('Nothing is asked of clients.')),
  tool('test_error_handling', async () => ({ content: [text('It fails on purpose.')], isError: true })),
  tool('test_tool_with_progress', async (_call, _args, asked) => {
    const progress = new Progress(asked);
    for (const share of [0, 0.5, 1]) await progress.report('On its way', share);
    return { content: [text('Done.')] };
  }),
  tool('test_missing_capability', async () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  }),
  tool('json_schema_2020_12_tool', async () => ({ content: [] }), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
];

const TEXT_URI = 'test://static-text';
const BINARY_URI = 'test://static-binary';

type Content = ReadResourceResult['contents'][number];

function resource(name: string, uriTemplate: string, read: (uri: string) => Content | null): McpResources {
  return {
    template: { name, uriTemplate },
    list: async () => [],
    async read(_call, uri) {
      const content = read(uri);
      return content && { contents: [content] };
    },
  };
}

const at = (content: Content) => (uri: string) => (uri === content.uri ? content : null);

const resources: McpResources[] = [
  resource('text', TEXT_URI, at({ uri: TEXT_URI, mimeType: 'text/plain', text: 'Text.' })),
  resource('binary', BINARY_URI, at({ uri: BINARY_URI, mimeType: 'image/png', blob: PNG })),
  resource('template', 'test://template/{id}/data', (uri) => {
    const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1];
    return id === undefined ? null : { uri, mimeType: 'application/json', text: JSON.stringify({ id }) };
  }),
];

function prompt(
  listed: Omit<Prompt, 'description'>,
  say: (args: Readonly<Record<string, string>>) => ContentBlock[],
): McpPrompt {
  return {
    listed: { ...listed, description: 'For tests' },
    get: (_call, args) => ({ messages: say(args).map((content) => ({ role: 'user', content })) }),
  };
}

const prompts: McpPrompt[] = [
  prompt({ name: 'test_simple_prompt' }, () => [text('This is a simple prompt for testing.')]),
  prompt(
    { name: 'test_prompt_with_arguments', arguments: [{ name: 'arg1' }, { name: 'arg2' }] },
    ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  ),
  prompt(
    { name: 'test_prompt_with_embedded_resource', arguments: [{ name: 'resourceUri' }] },
    ({ resourceUri = '' }) => [
      { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' } },
    ],
  ),
  prompt({ name: 'test_prompt_with_image' }, () => [image]),
];

/**
 * The gateway's surface plus the fixtures that the conformance suite requires, so that its
 * scenarios run through the gateway's endpoint and server. Only for tests.
 */
export const surfaceWithFixtures: McpSurface = {
  tools: [...gatewaySurface.tools, ...tools],
  resources: [...gatewaySurface.resources, ...resources],
  prompts: [...gatewaySurface.prompts, ...prompts],
  instructions: gatewaySurface.instructions,
};
