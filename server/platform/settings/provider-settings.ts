import { z } from 'zod';
import { PROVIDERS, type Provider, type ProviderName } from './providers';
import { define, type SettingDefinition, urlSchema } from './setting-schemas';

type ProviderSettings = {
  [Name in ProviderName as `${Uppercase<Name>}_API_KEY`]: SettingDefinition<z.ZodString>;
} & {
  [Name in ProviderName as `${Uppercase<Name>}_BASE_URL`]: SettingDefinition<ReturnType<typeof urlSchema>>;
};

/** Defines the platform's API key and the base URL of each provider. */
export function providerSettings(): ProviderSettings {
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
