import { z } from 'zod';

const claimsSchema = z.object({
  sub: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  picture: z.string().optional(),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
});

/**
 * The fields that the sign-in call carries beside the identity token (product §3.1), read from the token without checking it:
 * the server believes the verified token alone (product §3.1). Empty when the token cannot be read.
 */
export function claimsBeside(
  token: string,
): Partial<Record<'id' | 'name' | 'email' | 'picture' | 'givenName' | 'familyName', string>> {
  let payload: unknown;
  try {
    const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    payload = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))));
  } catch {
    return {};
  }
  const claims = claimsSchema.safeParse(payload);
  if (!claims.success) return {};
  const { sub, name, email, picture, given_name: givenName, family_name: familyName } = claims.data;
  return {
    id: sub,
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(picture !== undefined && { picture }),
    ...(givenName !== undefined && { givenName }),
    ...(familyName !== undefined && { familyName }),
  };
}
