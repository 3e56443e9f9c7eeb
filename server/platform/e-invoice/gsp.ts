import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { cancelReasons, portalTime } from '#domain/e-invoice.ts';
import { type EInvoices, EInvoiceRefusal, EInvoiceSilence, type Registration } from './e-invoices.ts';

const registered = z.object({
  Irn: z.string().regex(/^[0-9a-f]{64}$/),
  AckNo: z.coerce.string(),
  AckDt: z.string(),
  SignedInvoice: z.string().min(1),
  SignedQRCode: z.string().min(1),
});

const answerSchema = z.object({
  success: z.boolean(),
  message: z.string().default(''),
  error_code: z.coerce.string().optional(),
  result: z.unknown(),
});
type Answer = z.output<typeof answerSchema>;

/** Codes of the portal: the document is registered already; the registration is not active (it was cancelled before). */
const duplicate = '2150';
const notActive = '9999';

/**
 * The invoice portal behind the plain JSON that GSPs (GST Suvidha Providers) put in front of its encryption. Undefined without
 * a GSP: e-invoicing is off by default, since it applies above a turnover of ₹5 crore (Notification 10/2023-Central Tax).
 */
export function createGspEInvoices(
  settings: {
    eInvoiceUrl?: string | undefined;
    eInvoiceUser?: string | undefined;
    eInvoicePassword?: string | undefined;
    eInvoiceApiKey?: string | undefined;
    supplierGstin: string;
  },
  timeoutMs = 20_000,
): EInvoices | undefined {
  const { eInvoiceUrl, eInvoiceUser, eInvoicePassword, eInvoiceApiKey, supplierGstin } = settings;
  if (!eInvoiceUrl) return undefined;
  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${eInvoiceUrl}/ei/api/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-api-key': eInvoiceApiKey ?? '',
        user_name: eInvoiceUser ?? '',
        password: eInvoicePassword ?? '',
        gstin: supplierGstin,
        requestid: randomUUID(),
      },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: unknown) => {
      throw new EInvoiceSilence('the invoice portal could not be reached', { cause: error });
    });
    const answer = answerSchema.safeParse(await response.json().catch(() => undefined));
    if (!answer.success)
      throw new EInvoiceSilence(`the invoice portal answered ${response.status} and nothing readable`);
    return answer.data;
  };
  return {
    register: async (document, irn) => {
      const answer = await call('POST', 'invoice', document);
      // An earlier try went through without being heard: the registration that there is counts.
      const known = !answer.success && codeOf(answer) === duplicate;
      return registrationIn(known ? await call('GET', `invoice/irn?irn=${irn}`) : answer, irn);
    },
    cancel: async (irn, reason, remark) => {
      const answer = await call('POST', 'invoice/cancel', {
        Irn: irn,
        CnlRsn: cancelReasons[reason],
        CnlRem: remark.slice(0, 100),
      });
      if (!answer.success && codeOf(answer) !== notActive) throw refusalIn(answer);
    },
  };
}

function registrationIn(answer: Answer, irn: string): Registration {
  if (!answer.success) throw refusalIn(answer);
  const result = registered.safeParse(answer.result);
  if (!result.success) throw new EInvoiceSilence('the invoice portal answered without a registration');
  if (result.data.Irn !== irn) throw new EInvoiceRefusal('irn', `the portal answered ${result.data.Irn}, not ${irn}`);
  const { AckNo, AckDt, SignedInvoice, SignedQRCode } = result.data;
  return {
    irn,
    ackNumber: AckNo,
    ackAt: portalTime(AckDt),
    signedQr: SignedQRCode,
    signedInvoice: SignedInvoice,
  };
}

/** `2150 : Duplicate IRN`: wordings differ, the code counts. */
function codeOf({ error_code: code, message }: Answer): string {
  return code ?? /^\s*(\d{4})\b/.exec(message)?.[1] ?? 'unknown';
}

function refusalIn(answer: Answer): EInvoiceRefusal {
  return new EInvoiceRefusal(codeOf(answer), answer.message);
}
