import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { bankTransferSchema, collection } from '#ship/standins/razorpay/entities.ts';
import { page } from '#ship/standins/razorpay/paging.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { perform } from '#ship/standins/razorpay/perform.ts';
import {
  changePayers,
  closeVirtualAccount,
  createVirtualAccount,
  creditVirtualAccount,
  findVirtualAccount,
  readPayer,
  transfersTo,
} from '#ship/standins/razorpay/virtual-accounts.ts';

type ById = { Params: { id: string } };
type ByPayer = { Params: { id: string; payerId: string } };

/** `/v1/virtual_accounts` (Smart Collect). */
export function addVirtualAccountRoutes(api: FastifyInstance, parts: RazorpayParts): void {
  const { state } = parts.ledger;

  api.post('/virtual_accounts', (request) =>
    perform(request, parts.closing, state.behaviour.virtualAccountsCreate, () =>
      createVirtualAccount(parts, request.body),
    ),
  );
  api.get('/virtual_accounts', (request) => collection(page(state.virtualAccounts.values(), request.query)));
  api.get<ById>('/virtual_accounts/:id', (request) => findVirtualAccount(parts, request.params.id));
  api.post<ById>('/virtual_accounts/:id/close', (request) => closeVirtualAccount(parts, request.params.id));
  api.get<ById>('/virtual_accounts/:id/payments', (request) => {
    const { id } = findVirtualAccount(parts, request.params.id);
    return collection(
      page(
        transfersTo(parts, id).map(({ payment }) => payment),
        request.query,
      ),
    );
  });
  api.post<ById>('/virtual_accounts/:id/allowed_payers', (request) => {
    const payer = readPayer(request.body);
    return changePayers(parts, request.params.id, (payers) => [...payers, payer]);
  });
  api.delete<ByPayer>('/virtual_accounts/:id/allowed_payers/:payerId', (request, reply) => {
    const { id, payerId } = request.params;
    changePayers(parts, id, (payers) => payers.filter((payer) => payer.id !== payerId));
    return reply.code(204).send();
  });
}

const text = (fallback: string) => z.string().min(1).max(100).default(fallback);
const creditSchema = z.strictObject({
  amount: z.int().min(1),
  mode: bankTransferSchema.shape.mode.default('NEFT'),
  utr: z.string().min(6).max(40).optional(),
  /** Null: the payer's bank does not say who pays. A UPI app never does. */
  payer: z
    .strictObject({
      name: text('Kaveri Textiles'),
      ifsc: text('HDFC0000053'),
      account_number: text('765432123456789'),
      bank_name: text('HDFC Bank'),
    })
    .nullable()
    .prefault({}),
  /** From a non-resident's external account. */
  nre: z.boolean().default(false),
});

/** Controls of transfers: what a payer's bank does. */
export function addVirtualAccountControls(app: FastifyInstance, parts: RazorpayParts): void {
  app.get('/standin/virtual_accounts', () => [...parts.ledger.state.virtualAccounts.values()].toReversed());
  app.post<ById>('/standin/virtual_accounts/:id/credit', (request) => {
    const { nre, payer, utr, ...credit } = creditSchema.parse(request.body ?? {});
    const reference =
      utr ?? `${credit.mode.slice(0, 1)}${Date.now()}${String(Math.floor(Math.random() * 1e4)).padStart(4, '0')}`;
    return creditVirtualAccount(parts, request.params.id, {
      ...credit,
      utr: reference,
      payer: credit.mode === 'UPI' ? null : payer,
      isNonResident: nre,
    }).payment;
  });
}
