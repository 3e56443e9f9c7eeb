import { z } from 'zod';

/** One error of a government system, with its own code ('2172'; '' where it gave none). */
export interface GspError {
  code: string;
  message: string;
}

/** A response of a government system: the result, or the errors and the whole response, which may tell more. */
export type GspResponse = { ok: true; result: unknown } | { ok: false; errors: GspError[]; body: unknown };

/** Any JSON object; each system has its own envelope, and errors also come with status 200. */
export const gspEnvelope = z.record(z.string(), z.unknown());

const wrapped = z.looseObject({
  success: z.boolean(),
  message: z.string().nullish(),
  errorCode: z.union([z.string(), z.number()]).nullish(),
  error_code: z.union([z.string(), z.number()]).nullish(),
  result: z.unknown().optional(),
});
const portalError = z.looseObject({
  status_cd: z.union([z.literal('0'), z.literal(0)]),
  error: z.looseObject({ error_cd: z.string().nullish(), message: z.string().nullish() }).nullish(),
});
const registrarError = z.looseObject({
  Status: z.union([z.literal('0'), z.literal(0)]),
  ErrorDetails: z
    .array(z.looseObject({ ErrorCode: z.union([z.string(), z.number()]), ErrorMessage: z.string() }))
    .nullish(),
});

/**
 * Reads the envelopes in use: a service provider's (`success`, `message: "2150 : Duplicate IRN"`, `result`), the GST
 * portal's (`status_cd: "0"`, `error`) and the invoice portal's (`Status: 0`, `ErrorDetails`). Anything
 * else is the result itself.
 */
export function readGspResponse(envelope: z.output<typeof gspEnvelope>): GspResponse {
  const portal = portalError.safeParse(envelope);
  if (portal.success) {
    const { error } = portal.data;
    return { ok: false, errors: [{ code: error?.error_cd ?? '', message: error?.message ?? '' }], body: envelope };
  }
  const registrar = registrarError.safeParse(envelope);
  if (registrar.success) {
    const errors = (registrar.data.ErrorDetails ?? []).map((each) => ({
      code: String(each.ErrorCode),
      message: each.ErrorMessage,
    }));
    return { ok: false, errors, body: envelope };
  }
  const provider = wrapped.safeParse(envelope);
  if (!provider.success) return { ok: true, result: envelope };
  const { success, message, result, errorCode, error_code } = provider.data;
  if (success) return { ok: true, result: result ?? envelope };
  const code = String(errorCode ?? error_code ?? '');
  return { ok: false, errors: errorsIn(message ?? '', code), body: envelope };
}

const codeInFront = /(?:^|,\s*)([A-Z]{0,6}_?\d{3,6})\s*:\s*/g;

/** `2182 : … , 2189 : …` is one message with two errors in it. */
function errorsIn(message: string, code: string): GspError[] {
  const marks = [...message.matchAll(codeInFront)];
  if (marks.length === 0) return [{ code, message }];
  return marks.map((mark, index) => ({
    code: mark[1] ?? '',
    message: message.slice(mark.index + mark[0].length, marks[index + 1]?.index).replace(/[,\s]+$/, ''),
  }));
}
