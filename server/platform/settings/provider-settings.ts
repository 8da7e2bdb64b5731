import { z } from 'zod';
import { PROVIDER_NAMES, PROVIDERS, type Provider, type ProviderName } from './providers';
import { define, type SettingDefinition, urlSchema } from './setting-schemas';
import type { PresentSettings } from './settings';

type ProviderDefinitions = {
  [Name in ProviderName as `${Uppercase<Name>}_API_KEY`]: SettingDefinition<z.ZodString, null>;
} & {
  [Name in ProviderName as `${Uppercase<Name>}_BASE_URL`]: SettingDefinition<
    ReturnType<typeof urlSchema>,
    string
  >;
};

/** The platform's API key and the base URL of each provider. */
export const PROVIDER_SETTINGS = defineProviders();

function defineProviders(): ProviderDefinitions {
  const entries = Object.entries<Provider>(PROVIDERS).flatMap(
    ([slot, { displayName, baseUrl, keyPattern }]) => [
      [
        `${slot.toUpperCase()}_API_KEY`,
        define(
          z
            .string()
            .regex(
              keyPattern,
              `must be an API key of ${displayName}: 8 to 512 printable characters without white space`,
            ),
          null,
          `The platform's API key for ${displayName}. Without it, callers must bring their own key.`,
          { secret: true },
        ),
      ],
      [
        `${slot.toUpperCase()}_BASE_URL`,
        define(urlSchema(['http:', 'https:'], baseUrl), baseUrl, `Base URL of the ${displayName} API.`),
      ],
    ],
  );
  return Object.fromEntries(entries);
}

export interface ProviderSettings {
  apiKey: string | null;
  baseUrl: string;
}

/** Reads the key, if any, and the base URL of each provider. */
export function readProviders(raw: PresentSettings): Record<ProviderName, ProviderSettings> {
  const entries = PROVIDER_NAMES.map((provider) => {
    const name = provider.toUpperCase() as Uppercase<ProviderName>;
    return [provider, { apiKey: raw[`${name}_API_KEY`], baseUrl: raw[`${name}_BASE_URL`] }];
  });
  return Object.fromEntries(entries);
}
