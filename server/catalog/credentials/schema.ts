import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { MAX_LABEL_LENGTH } from './limits';

export const requirementSchema = z
  .looseObject({
    name: z.string().describe('The name of the provider; its header is X-Provider-Key-<name>.'),
    type: z.string().describe('api_key.'),
    displayName: z.string(),
    description: z.string(),
    acquireUrl: z.string().describe('Where to get a key.'),
    setupGuide: z.string().describe('How to get a key, in a few sentences of plain text.'),
    registeredBy: z.array(z.string()).describe('The tools that can use it.'),
  })
  .meta({ id: 'Requirement' });

export const requirementListSchema = z
  .object({ requirements: z.array(requirementSchema) })
  .meta({ id: 'RequirementList' });

export const credentialEntrySchema = z
  .looseObject({
    label: z.string(),
    masked: z.string().describe('The masked key, the only form in which it is shown.'),
    is_default: z.boolean().describe('Whether calls use this key.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().describe('When the key was last saved.'),
    last_used_at: z.iso.datetime().nullable().describe('When a request last used the key, to the minute.'),
  })
  .meta({ id: 'CredentialEntry' });

export const accountRequirementSchema = requirementSchema
  .extend({
    configured: z.boolean().describe('Whether a key is saved.'),
    entries: z.array(credentialEntrySchema).describe('The saved keys, masked, oldest first.'),
  })
  .meta({ id: 'AccountRequirement' });

export const accountRequirementListSchema = z
  .object({ requirements: z.array(accountRequirementSchema) })
  .meta({ id: 'AccountRequirementList' });

const nameSchema = z
  .string()
  .min(1)
  .max(64)
  .describe('The name of the provider: openai, anthropic, …; see GET /v1/requirements.');
const labelSchema = z
  .string()
  .min(1, 'Must not be empty.')
  .max(MAX_LABEL_LENGTH, `Must have at most ${MAX_LABEL_LENGTH} characters.`)
  .refine((label) => label === label.trim(), 'Must not begin or end with white space.')
  .refine((label) => !/[\p{Cc}\p{Cs}]/u.test(label), 'Must not contain control characters.');

export const saveCredentialInput = strictInput(
  {
    name: nameSchema,
    value: z.string().describe('The key, without white space. Stored encrypted, never shown again.'),
    label: labelSchema
      .optional()
      .describe(
        'A name for this key. Optional while it is the only key of the provider; then it is "default".',
      ),
    is_default: z
      .boolean()
      .optional()
      .describe('true: calls use this key from now on. The first key of a provider is always its default.'),
  },
  ['name'],
).meta({ example: { value: 'sk-…', label: 'work' } });

export const removeCredentialInput = z.object({
  name: nameSchema,
  label: z
    .string()
    .min(1)
    .max(MAX_LABEL_LENGTH)
    .describe('The key to remove; omit it to remove all.')
    .optional(),
});

/** Which saved value of a provider calls use. */
export const chooseDefaultInput = z.object({
  name: nameSchema,
  label: z.string().min(1).max(MAX_LABEL_LENGTH),
});

export const removedCredentialSchema = z
  .object({ success: z.literal(true), name: z.string() })
  .meta({ id: 'RemovedCredential' });

export type Requirement = z.infer<typeof requirementSchema>;
export type AccountRequirement = z.infer<typeof accountRequirementSchema>;
export type SaveCredentialInput = z.infer<typeof saveCredentialInput>;
export type RemoveCredentialInput = z.infer<typeof removeCredentialInput>;
