import type { FastifyInstance } from 'fastify';
import QRCode from 'qrcode';
import { z } from 'zod';
import {
  type Method,
  submitBankPage,
  submitOtp,
  checkoutError,
  checkoutResponse,
  startAttempt,
} from '#ship/standins/razorpay/attempt.ts';
import { paymentMethodSchema } from '#ship/standins/razorpay/entities.ts';
import { badRequest, refusal } from '#ship/standins/razorpay/errors.ts';
import type { PaymentRecord } from '#ship/standins/razorpay/ledger.ts';
import { findOrder, findPayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { alreadyPaid, failPayment } from '#ship/standins/razorpay/payments.ts';
import { testBanks } from '#ship/standins/razorpay/instruments.ts';
import { createQrCode, findQrCode, startInApp, type UpiFlow, upiFlowsOf } from '#ship/standins/razorpay/upi.ts';

type ById = { Params: { id: string } };

const sessionSchema = z.object({
  key_id: z.string().default(''),
  order_id: z.string().default(''),
  amount: z.coerce.number().optional(),
  currency: z.string().default('INR'),
});

const payerSchema = sessionSchema.extend({
  email: z.string().max(254).optional(),
  contact: z.string().max(30).optional(),
  description: z.string().max(255).optional(),
  /** The business's name, which the payer's app shows. */
  name: z.string().max(100).default(''),
  /** With both, the payment gives the mandate that its order asks for. */
  recurring: z.union([z.literal(1), z.literal('1'), z.literal(true)]).optional(),
  customer_id: z.string().optional(),
});

const paymentSchema = payerSchema.extend({
  method: paymentMethodSchema,
  card: z.object({ number: z.string(), name: z.string().max(100).optional() }).optional(),
  vpa: z.string().optional(),
  bank: z.string().optional(),
});

/** A method with its required field. */
export function readMethodFields(body: {
  method: Method['method'];
  card?: { number: string; name?: string | undefined } | undefined;
  vpa?: string | undefined;
  bank?: string | undefined;
}): Method {
  if (body.method === 'card') {
    if (!body.card) throw badRequest('The card field is required.', 'card');
    return { method: 'card', card: body.card };
  }
  if (body.method === 'upi') return { method: 'upi', vpa: body.vpa ?? '' };
  return { method: 'netbanking', bank: body.bank ?? '' };
}

/** Razorpay puts +91 before a number without a country code. */
export function payerOf(body: {
  email?: string | undefined;
  contact?: string | undefined;
  description?: string | undefined;
}) {
  const contact = (body.contact ?? '').replace(/[^\d+]/g, '');
  return {
    email: body.email || 'void@razorpay.com',
    contact: contact === '' ? '+919999999999' : /^\d{10}$/.test(contact) ? `+91${contact}` : contact,
    description: body.description ?? null,
  };
}

/** Refuses what this device may not be offered. */
function checkFlow(flow: UpiFlow, userAgent: string | undefined): void {
  if (!upiFlowsOf(userAgent).includes(flow))
    throw badRequest('This way to pay by UPI is not supported on this device.', 'upi');
}

type PayerFields = z.infer<typeof payerSchema>;
const mandateCustomerOf = (body: PayerFields) => (body.recurring === undefined ? undefined : body.customer_id);
const upiPayerOf = (body: PayerFields) => ({
  payer: payerOf(body),
  payee: body.name,
  customerId: mandateCustomerOf(body),
});

function checkSession(parts: RazorpayParts, session: z.infer<typeof sessionSchema>) {
  if (session.key_id !== parts.keyId) {
    throw refusal(401, { code: 'BAD_REQUEST_ERROR', description: 'The API key provided is invalid.' });
  }
  const { order } = findOrder(parts, session.order_id);
  if (session.amount !== undefined && session.amount !== order.amount) {
    throw badRequest(
      'Your payment amount is different from your order amount. To pay successfully, please try using right amount.',
      'amount',
    );
  }
  if (session.currency !== order.currency)
    throw badRequest('Your payment currency is different from your order currency.', 'currency');
  if (order.status === 'paid') throw badRequest(alreadyPaid);
  return order;
}

/** The calls of the checkout sheet, which has the public key id and the order, never the secret. */
export function addCheckoutRoutes(app: FastifyInstance, parts: RazorpayParts): void {
  const describe = (record: PaymentRecord) => ({
    payment_id: record.payment.id,
    status: record.payment.status,
    awaiting: record.awaiting,
    link: record.request?.link ?? null,
    response: checkoutResponse(parts, record),
    error: checkoutError(record),
  });

  app.get('/checkout/session', (request) => {
    const { id, amount, currency } = checkSession(parts, sessionSchema.parse(request.query));
    const { method } = findOrder(parts, id);
    return {
      order: { id, amount, currency, method },
      banks: testBanks,
      flows: upiFlowsOf(request.headers['user-agent']),
    };
  });

  app.post('/checkout/payments', (request) => {
    const body = paymentSchema.parse(request.body);
    const order = checkSession(parts, body);
    if (body.method !== 'upi' || body.vpa !== undefined) {
      if (body.method === 'upi') checkFlow('collect', request.headers['user-agent']);
      const customerId = mandateCustomerOf(body);
      return describe(startAttempt(parts, order, readMethodFields(body), payerOf(body), { customerId }));
    }
    checkFlow('intent', request.headers['user-agent']);
    return describe(startInApp(parts, order, upiPayerOf(body)));
  });

  app.post('/checkout/qr-codes', async (request) => {
    checkFlow('qr', request.headers['user-agent']);
    const body = payerSchema.parse(request.body);
    const { id, link } = createQrCode(parts, checkSession(parts, body), upiPayerOf(body));
    const svg = await QRCode.toString(link, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });
    return { id, link, image: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` };
  });

  app.get<ById>('/checkout/qr-codes/:id', (request) => {
    const { closeAtMs, paymentId } = findQrCode(parts, request.params.id);
    const payment = paymentId === null ? null : describe(findPayment(parts, paymentId));
    return { closes_in_ms: Math.max(0, closeAtMs - parts.now()), payment };
  });

  app.get<ById>('/checkout/payments/:id', (request) => describe(findPayment(parts, request.params.id)));

  app.post<ById>('/checkout/payments/:id/otp', (request) => {
    const { otp } = z.object({ otp: z.string() }).parse(request.body);
    return describe(submitOtp(parts, request.params.id, otp));
  });

  app.post<ById>('/checkout/payments/:id/bank', (request) => {
    const { success } = z.object({ success: z.boolean() }).parse(request.body);
    return describe(submitBankPage(parts, request.params.id, success));
  });

  app.post<ById>('/checkout/payments/:id/cancel', (request) => {
    const record = findPayment(parts, request.params.id);
    // What the bank has been asked can no longer be cancelled.
    const canCancel = record.payment.status === 'created' && record.awaiting !== 'answer';
    return describe(canCancel ? failPayment(parts, record.payment.id, 'payment_cancelled') : record);
  });
}
