import { z } from 'zod';

/** The invoice portal's response: the result, or a refusal with the code of its first error (`unknown` without one). */
export type GspResponse = { ok: true; result: unknown } | { ok: false; code: string; message: string };

const code = z.union([z.string(), z.number()]).nullish();

/** A GSP's envelope. Refusals come with status 200 and may have no field but `success`. */
const provider = z.looseObject({
  success: z.boolean(),
  message: z.string().nullish(),
  errorCode: code,
  error_code: code,
  result: z.unknown().optional(),
});
/** The invoice portal's own refusal, which some GSPs pass on. */
const registrar = z.looseObject({
  Status: z.union([z.literal(0), z.literal('0')]),
  ErrorDetails: z.array(z.looseObject({ ErrorCode: code, ErrorMessage: z.string().nullish() })).nullish(),
});
/** The GSP rejected the token; the portal was not called. */
const unauthorized = z.looseObject({ error: z.string().min(1), error_description: z.string().nullish() });

/** Undefined: not a response of the invoice portal, such as a proxy's error page. Messages vary between GSPs; the code decides. */
export function parseGspResponse(body: unknown): GspResponse | undefined {
  const direct = registrar.safeParse(body);
  if (direct.success) {
    const errors = direct.data.ErrorDetails ?? [];
    const messages = errors.flatMap(({ ErrorMessage }) => ErrorMessage ?? []);
    return { ok: false, code: String(errors[0]?.ErrorCode ?? 'unknown'), message: messages.join(', ') };
  }
  const wrapped = provider.safeParse(body);
  if (wrapped.success) {
    const { success, message, errorCode, error_code, result } = wrapped.data;
    return success ? { ok: true, result } : refusalIn(message ?? '', errorCode ?? error_code);
  }
  const refused = unauthorized.safeParse(body);
  if (!refused.success) return undefined;
  return { ok: false, code: 'login', message: refused.data.error_description ?? refused.data.error };
}

/** `3029 : GSTIN … is not active, 2172 : …`: the first code decides; the message omits the codes. */
function refusalIn(message: string, given: string | number | null | undefined): GspResponse {
  const first = /(?:^|,)\s*(\d{4})\s*:/.exec(message)?.[1];
  const reasons = message
    .split(/(?:^|,)\s*\d{4}\s*:\s*/)
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '');
  return { ok: false, code: first ?? String(given ?? 'unknown'), message: reasons.join(', ') };
}
