import { z } from 'zod';
import { PROVIDERS, type Provider, type Slot } from './providers';
import { define, type SettingDefinition, urlWith } from './setting-schemas';

type ProviderSettings = {
  [Name in Slot as `${Uppercase<Name>}_API_KEY`]: SettingDefinition<z.ZodString>;
} & { [Name in Slot as `${Uppercase<Name>}_BASE_URL`]: SettingDefinition<ReturnType<typeof urlWith>> };

/** Of each provider the platform's own key, and where its API is. */
export function providerSettings(): ProviderSettings {
  const entries = Object.entries<Provider>(PROVIDERS).flatMap(
    ([slot, { displayName, baseUrl, keyPattern }]) => [
      [
        `${slot.toUpperCase()}_API_KEY`,
        define(
          z
            .string()
            .regex(keyPattern, `must be a key of ${displayName}: printable characters without white space`),
          null,
          `The platform's own key of ${displayName}. Without it, only callers with a key of theirs use it.`,
          { secret: true },
        ),
      ],
      [
        `${slot.toUpperCase()}_BASE_URL`,
        define(urlWith(['http:', 'https:'], baseUrl), baseUrl, `Where the API of ${displayName} is.`),
      ],
    ],
  );
  return Object.fromEntries(entries);
}
