import { z } from 'zod';
import { MAX_CODE_LENGTH } from './limits';

/** A code of the authenticator app, or a recovery code. */
export const factorCode = z.string().trim().min(1).max(MAX_CODE_LENGTH);

export const factorCodeInput = z.object({ code: factorCode });

/** For acts that ask for a code only if the second factor is on. */
export const optionalCodeInput = z.object({ code: factorCode.optional() });

export const factorStateSchema = z.object({
  enabled: z.boolean(),
  enabled_at: z.iso.datetime().nullable(),
  recovery_codes_left: z.int(),
});

export const factorSetupSchema = z.object({
  /** For apps that cannot scan, in base32. */
  secret: z.string(),
  /** `otpauth://…`, which opens an app on this device. */
  uri: z.string(),
  /** The same as a QR code, in SVG. */
  qr_svg: z.string(),
});

export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) });

export type FactorState = z.infer<typeof factorStateSchema>;
export type FactorSetup = z.infer<typeof factorSetupSchema>;
