import { z } from 'zod';
import { type CancelReason, cancelReasons, portalTime } from '#shared/domain/e-invoice.ts';
import type { GspError } from '#products/gsp/gsp-response.ts';
import type { Gsp, GspCall } from '#products/gsp/gsp.ts';
import { PortalRefusal } from '#products/http/problem.ts';
import { UpstreamFault } from '#products/http/upstream.ts';
import { acknowledgementIn } from '#products/invoicing/acknowledgement.ts';
import type { Inv01 } from '#products/invoicing/inv01.ts';

/** The taxpayer's own login at the invoice portal; it is passed on and never stored. */
export interface PortalLogin {
  gstin: string;
  username: string;
  password: string;
}

/** A registered document. The signed texts are null when the portal no longer returns them (after two days). */
export interface Registration {
  irn: string;
  ackNumber: string;
  /** ISO 8601. */
  ackAt: string;
  status: 'active' | 'cancelled';
  signedInvoice: string | null;
  signedQrCode: string | null;
}

/**
 * The invoice registration portal. Every method may throw PortalRefusal (the portal refused, with its code) and UpstreamFault
 * (it did not respond properly).
 */
export interface Registrar {
  /** Registers a document once; `duplicate`: it was already registered, and this is that registration. */
  register: (login: PortalLogin, document: Inv01, irn: string) => Promise<Registration & { duplicate: boolean }>;
  find: (login: PortalLogin, irn: string) => Promise<Registration>;
  /** Returns the time (ISO 8601) from which the registration counts as cancelled. */
  cancel: (login: PortalLogin, irn: string, reason: CancelReason, remark: string) => Promise<string>;
}

const portal = 'The invoice registration portal';

const registered = z.looseObject({
  Irn: z.string().regex(/^[0-9a-f]{64}$/),
  AckNo: z.coerce.string(),
  AckDt: z.string(),
  Status: z.string().nullish(),
  SignedInvoice: z.string().nullish(),
  SignedQRCode: z.string().nullish(),
});
const cancelled = z.looseObject({ CancelDate: z.string() });

/** The portal's code for a document that is already registered. */
const duplicate = '2150';
/** The operator's account at the provider, or the provider itself, failed; the caller cannot fix it. */
const ourFault = new Set(['1010', '1011', '1013']);
/** Nothing is registered under this number. */
const absent = new Set(['2148', '2154', '3001']);

/** The invoice registration portal through a GSP, which offers plain JSON instead of the portal's encryption. */
export function createRegistrar(gsp: Gsp): Registrar {
  const call = ({ gstin, username, password }: PortalLogin, request: GspCall) =>
    gsp(portal, { ...request, headers: { gstin, user_name: username, password } });

  const find = async (login: PortalLogin, irn: string): Promise<Registration> => {
    const response = await call(login, { path: `/ei/api/invoice/irn?irn=${irn}` });
    if (!response.ok) throw refusalFor(response.errors);
    return registrationIn(response.result, irn);
  };

  return {
    find,
    register: async (login, document, irn) => {
      const response = await call(login, { path: '/ei/api/invoice', method: 'POST', body: document });
      if (response.ok) return { ...registrationIn(response.result, irn), duplicate: false };
      if (!response.errors.some((each) => each.code === duplicate)) throw refusalFor(response.errors);
      const acknowledged = acknowledgementIn(response.body, irn);
      const before = await find(login, irn).catch((error: unknown): Registration => {
        // After two days the portal returns nothing but the acknowledgement, beside its refusal of the duplicate.
        if (!(error instanceof PortalRefusal) || acknowledged === undefined) throw error;
        const { ackNumber, ackAt } = acknowledged;
        const unsigned = { signedInvoice: null, signedQrCode: null };
        return { irn, ackNumber, ackAt: new Date(ackAt).toISOString(), status: 'active', ...unsigned };
      });
      if (!isSameDocument(document, before.signedQrCode)) {
        throw new PortalRefusal(409, 'Another document is registered under this number.', duplicate);
      }
      return { ...before, duplicate: true };
    },
    cancel: async (login, irn, reason, remark) => {
      const body = { Irn: irn, CnlRsn: cancelReasons[reason], CnlRem: remark };
      const response = await call(login, { path: '/ei/api/invoice/cancel', method: 'POST', body });
      if (!response.ok) throw refusalFor(response.errors);
      const result = cancelled.safeParse(response.result);
      if (!result.success) throw unreadable();
      return instant(result.data.CancelDate);
    },
  };
}

function registrationIn(result: unknown, irn: string): Registration {
  const parsed = registered.safeParse(result);
  if (!parsed.success) throw unreadable();
  const { Irn, AckNo, AckDt, Status, SignedInvoice, SignedQRCode } = parsed.data;
  // Number, year and GSTIN determine the IRN, so a different IRN belongs to a different document.
  if (Irn !== irn) throw new UpstreamFault(502, `${portal} returned a different IRN (${Irn}).`);
  return {
    irn,
    ackNumber: AckNo,
    ackAt: instant(AckDt),
    status: Status === 'CNL' ? 'cancelled' : 'active',
    signedInvoice: SignedInvoice ?? null,
    signedQrCode: SignedQRCode ?? null,
  };
}

const signedQr = z.looseObject({ BuyerGstin: z.string(), DocDt: z.string(), TotInvVal: z.number() });

/** Compares buyer, day and total of the signed text with this document; null without a signed text. */
function isSameDocument({ BuyerDtls, DocDtls, ValDtls }: Inv01, jwt: string | null): boolean {
  if (jwt === null) return true;
  try {
    const payload: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    const { data } = z.looseObject({ data: z.string() }).parse(payload);
    const { BuyerGstin, DocDt, TotInvVal } = signedQr.parse(JSON.parse(data));
    return BuyerGstin === BuyerDtls.Gstin && DocDt === DocDtls.Dt && TotInvVal === ValDtls.TotInvVal;
  } catch (cause) {
    throw new UpstreamFault(502, `${portal} returned a signed text that cannot be parsed.`, { cause });
  }
}

function instant(text: string): string {
  try {
    return new Date(portalTime(text)).toISOString();
  } catch (cause) {
    throw new UpstreamFault(502, `${portal} returned a time that cannot be parsed.`, { cause });
  }
}

function unreadable(): UpstreamFault {
  return new UpstreamFault(502, `${portal} sent a response that cannot be parsed.`);
}

function refusalFor(errors: readonly GspError[]): Error {
  const [first] = errors;
  const told = errors.map(({ code, message }) => `${code} ${message}`.trim()).join('; ');
  if (first === undefined || first.code === '' || ourFault.has(first.code)) {
    return new UpstreamFault(502, `${portal} refused the call (${told}).`);
  }
  return new PortalRefusal(absent.has(first.code) ? 404 : 422, `${portal} refused this: ${told}.`, first.code);
}
