import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';

export const requirementSchema = z
  .looseObject({
    name: z.string().describe('The slot; also the end of its header: X-Provider-Key-<name>.'),
    type: z.string().describe('api_key.'),
    displayName: z.string(),
    description: z.string(),
    acquireUrl: z.string().describe('Where a person gets a key.'),
    setupGuide: z.string().describe('How, in a few sentences of plain text.'),
    registeredBy: z.array(z.string()).describe('The tools that can use it.'),
  })
  .meta({ id: 'Requirement' });

export const requirementListSchema = z
  .object({ requirements: z.array(requirementSchema) })
  .meta({ id: 'RequirementList' });

export const credentialEntrySchema = z
  .looseObject({
    label: z.string(),
    masked: z.string().describe('All that is ever shown of the value.'),
    is_default: z.boolean().describe('Calls use this one.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().describe('When the value was saved last.'),
    last_used_at: z.iso
      .datetime()
      .nullable()
      .describe('When a request last went out with it; to the minute.'),
  })
  .meta({ id: 'CredentialEntry' });

export const accountRequirementSchema = requirementSchema
  .extend({
    configured: z.boolean().describe('Whether a value is saved.'),
    entries: z.array(credentialEntrySchema).describe('The saved values, masked, oldest first.'),
  })
  .meta({ id: 'AccountRequirement' });

export const accountRequirementListSchema = z
  .object({ requirements: z.array(accountRequirementSchema) })
  .meta({ id: 'AccountRequirementList' });

const MAX_LABEL_CHARS = 64;

const nameSchema = z
  .string()
  .min(1)
  .max(64)
  .describe('The slot: openai, anthropic, …; see GET /v1/requirements.');
const labelSchema = z
  .string()
  .min(1, 'Must not be empty.')
  .max(MAX_LABEL_CHARS, `Must have at most ${MAX_LABEL_CHARS} characters.`)
  .refine((label) => label === label.trim(), 'Must not begin or end with white space.')
  .refine((label) => !/[\p{Cc}\p{Cs}]/u.test(label), 'Must not hold control characters.');

export const saveCredentialInput = strictInput(
  {
    name: nameSchema,
    value: z.string().describe('The key itself, without white space. Kept encrypted, never shown again.'),
    label: labelSchema
      .optional()
      .describe(
        'What you call this value. May be left out while it is the only one of the slot: then it is "default".',
      ),
    is_default: z
      .boolean()
      .optional()
      .describe('true: calls use this value from now on. The first value of a slot is its default anyway.'),
  },
  ['name'],
).meta({ example: { value: 'sk-…', label: 'work' } });

export const removeCredentialInput = z.object({
  name: nameSchema,
  label: z
    .string()
    .min(1)
    .max(MAX_LABEL_CHARS)
    .describe('Only this value; without it all are removed.')
    .optional(),
});

/** Which of the saved values of a slot calls are to use. */
export const chooseDefaultInput = z.object({
  name: nameSchema,
  label: z.string().min(1).max(MAX_LABEL_CHARS),
});

export const removedCredentialSchema = z
  .object({ success: z.literal(true), name: z.string() })
  .meta({ id: 'RemovedCredential' });

export type Requirement = z.infer<typeof requirementSchema>;
export type AccountRequirement = z.infer<typeof accountRequirementSchema>;
export type SaveCredentialInput = z.infer<typeof saveCredentialInput>;
export type RemoveCredentialInput = z.infer<typeof removeCredentialInput>;
