import { z } from 'zod';

export const requirementSchema = z
  .looseObject({
    name: z.string(),
    type: z.string(),
    displayName: z.string(),
    description: z.string(),
    acquireUrl: z.string(),
    setupGuide: z.string(),
    registeredBy: z.array(z.string()).describe('The tools that can use it.'),
  })
  .meta({ id: 'Requirement' });

export const requirementListSchema = z
  .object({ requirements: z.array(requirementSchema) })
  .meta({ id: 'RequirementList' });

export type Requirement = z.infer<typeof requirementSchema>;
