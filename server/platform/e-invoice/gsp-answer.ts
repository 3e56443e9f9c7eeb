import { z } from 'zod';

/** What the invoice portal answered: the result, or a refusal with the code of its first error (`unknown` without one). */
export type GspAnswer = { ok: true; result: unknown } | { ok: false; code: string; message: string };

const code = z.union([z.string(), z.number()]).nullish();

/** A GSP's envelope. Refusals come with status 200 and may lack everything but `success`. */
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
/** The GSP's refusal of the token, before the portal is asked. */
const unauthorized = z.looseObject({ error: z.string().min(1), error_description: z.string().nullish() });

/** Undefined: not an answer of the invoice portal, such as the page of a proxy. Wordings of refusals differ; the code counts. */
export function readGspAnswer(body: unknown): GspAnswer | undefined {
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

/** `3029 : GSTIN … is not active, 2172 : …`: the first code decides, and people read the texts without codes. */
function refusalIn(message: string, given: string | number | null | undefined): GspAnswer {
  const first = /(?:^|,)\s*(\d{4})\s*:/.exec(message)?.[1];
  const reasons = message
    .split(/(?:^|,)\s*\d{4}\s*:\s*/)
    .map((reason) => reason.trim())
    .filter((reason) => reason !== '');
  return { ok: false, code: first ?? String(given ?? 'unknown'), message: reasons.join(', ') };
}
