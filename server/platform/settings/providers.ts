/** A provider that calls can authenticate to: a requirement slot (contract sections 2 and 7). */
export interface Provider {
  readonly displayName: string;
  readonly description: string;
  readonly acquireUrl: string;
  /** Plain text, a few sentences. */
  readonly setupGuide: string;
  /** The base URL of its API; an operator may change it. */
  readonly baseUrl: string;
  /** A rough format check that rejects wrongly pasted keys. */
  readonly keyPattern: RegExp;
  /** The headers that carry the key. */
  authorize(key: string): Record<string, string>;
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const PRINTABLE = /^[\x21-\x7e]{8,512}$/;

/** By slot, whose name is also the end of its header: `X-Provider-Key-openai`. */
export const PROVIDERS = {
  openai: {
    displayName: 'OpenAI',
    description: 'Chat, speech, transcription and embeddings by OpenAI.',
    acquireUrl: 'https://platform.openai.com/api-keys',
    setupGuide: 'Sign in at platform.openai.com, open API keys, choose "Create new secret key" and copy it.',
    baseUrl: 'https://api.openai.com',
    keyPattern: PRINTABLE,
    authorize: bearer,
  },
  anthropic: {
    displayName: 'Anthropic',
    description: 'Claude models by Anthropic.',
    acquireUrl: 'https://console.anthropic.com/settings/keys',
    setupGuide: 'Sign in at console.anthropic.com, open Settings, API keys, choose "Create key" and copy it.',
    baseUrl: 'https://api.anthropic.com',
    keyPattern: PRINTABLE,
    authorize: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  },
  tavily: {
    displayName: 'Tavily',
    description: 'Web search by Tavily.',
    acquireUrl: 'https://app.tavily.com/home',
    setupGuide: 'Sign in at app.tavily.com; the key is on the overview page.',
    baseUrl: 'https://api.tavily.com',
    keyPattern: PRINTABLE,
    authorize: bearer,
  },
  brave: {
    displayName: 'Brave Search',
    description: 'Web search by Brave.',
    acquireUrl: 'https://api-dashboard.search.brave.com/app/keys',
    setupGuide: 'Sign in at api-dashboard.search.brave.com, subscribe to a plan, open API keys and add one.',
    baseUrl: 'https://api.search.brave.com',
    keyPattern: PRINTABLE,
    authorize: (key) => ({ 'X-Subscription-Token': key }),
  },
  exa: {
    displayName: 'Exa',
    description: 'Web search by Exa.',
    acquireUrl: 'https://dashboard.exa.ai/api-keys',
    setupGuide: 'Sign in at dashboard.exa.ai, open API keys and create one.',
    baseUrl: 'https://api.exa.ai',
    keyPattern: PRINTABLE,
    authorize: (key) => ({ 'x-api-key': key }),
  },
  fal: {
    displayName: 'fal',
    description: 'Image models hosted by fal.',
    acquireUrl: 'https://fal.ai/dashboard/keys',
    setupGuide: 'Sign in at fal.ai, open Dashboard, Keys, add a key of scope API and copy it.',
    baseUrl: 'https://queue.fal.run',
    keyPattern: PRINTABLE,
    authorize: (key) => ({ Authorization: `Key ${key}` }),
  },
  replicate: {
    displayName: 'Replicate',
    description: 'Image models hosted by Replicate.',
    acquireUrl: 'https://replicate.com/account/api-tokens',
    setupGuide: 'Sign in at replicate.com, open Account, API tokens, create one and copy it.',
    baseUrl: 'https://api.replicate.com',
    keyPattern: PRINTABLE,
    authorize: bearer,
  },
  elevenlabs: {
    displayName: 'ElevenLabs',
    description: 'Speech by ElevenLabs.',
    acquireUrl: 'https://elevenlabs.io/app/settings/api-keys',
    setupGuide: 'Sign in at elevenlabs.io, open Settings, API keys, create one and copy it.',
    baseUrl: 'https://api.elevenlabs.io',
    keyPattern: PRINTABLE,
    authorize: (key) => ({ 'xi-api-key': key }),
  },
  firecrawl: {
    displayName: 'Firecrawl',
    description: 'Scraping of pages that need a browser, by Firecrawl.',
    acquireUrl: 'https://www.firecrawl.dev/app/api-keys',
    setupGuide: 'Sign in at firecrawl.dev, open API keys and copy one.',
    baseUrl: 'https://api.firecrawl.dev',
    keyPattern: PRINTABLE,
    authorize: bearer,
  },
  resend: {
    displayName: 'Resend',
    description: 'Email from your own domain, by Resend.',
    acquireUrl: 'https://resend.com/api-keys',
    setupGuide:
      'Sign in at resend.com, verify the domain you send from, open API keys, create one with sending access and copy it.',
    baseUrl: 'https://api.resend.com',
    keyPattern: PRINTABLE,
    authorize: bearer,
  },
} satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

/** A slot that an imported tool defines, known only at run time (server/catalog/imports). */
export type ImportedProviderName = string & { readonly __imported: true };

/** A built-in slot, or one of an imported tool. The provider registry resolves both. */
export type AnyProviderName = ProviderName | ImportedProviderName;

/** All built-in slots, in display order. */
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as ProviderName[];

/** Finds a provider by an untrusted name; undefined also for names that every object has. */
export function findProvider(name: string): Provider | undefined {
  return Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name as ProviderName] : undefined;
}
