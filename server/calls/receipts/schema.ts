import { z } from 'zod';

export const receiptInput = z.object({
  call_id: z.string().min(1).max(64).describe('The id of a call that succeeded.'),
});

/** The claims of a receipt. Additions are compatible: a verifier ignores unknown claims. */
export const receiptClaimsSchema = z
  .looseObject({
    iss: z.string().describe('The base URL of the gateway that signed it.'),
    iat: z.int().describe('When it was signed, in seconds since 1970.'),
    jti: z.string().describe('The id of the call.'),
    account: z.string().describe('The charged account.'),
    key: z.string().describe('The id of the API key that made the call.'),
    tool: z.string(),
    skill: z.string(),
    cost_usd: z.string().describe('What was charged, with six decimals: "0.250000".'),
    cost_microusd: z.int().describe('The same in millionths of a dollar.'),
    currency: z.literal('USD'),
    byok: z.boolean().describe('The call used your own provider key.'),
    called_at: z.iso.datetime(),
    finished_at: z.iso.datetime(),
    output_sha256: z
      .string()
      .nullable()
      .describe(
        "SHA-256 of the output as canonical JSON (RFC 8785), hexadecimal. Null if the gateway no longer has the output: it stores only a job's.",
      ),
  })
  .meta({ id: 'ReceiptClaims' });

export const receiptSchema = z
  .looseObject({
    receipt: z.string().describe('A compact JWS, signed with a key of /.well-known/jwks.json.'),
    claims: receiptClaimsSchema.describe('The signed claims, decoded.'),
  })
  .meta({ id: 'Receipt' });

const receiptKeySchema = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().describe('The public key, base64url.'),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
});

export const receiptKeysSchema = z
  .looseObject({ keys: z.array(receiptKeySchema).describe('Retired keys stay listed.') })
  .meta({ id: 'ReceiptKeys' });

export type ReceiptClaims = z.infer<typeof receiptClaimsSchema>;
export type Receipt = z.infer<typeof receiptSchema>;
export type ReceiptKey = z.infer<typeof receiptKeySchema>;
