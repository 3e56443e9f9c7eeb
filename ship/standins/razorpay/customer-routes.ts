import type { FastifyInstance } from 'fastify';
import { createCustomer, editCustomer, findCustomer } from '#ship/standins/razorpay/customers.ts';
import { collection } from '#ship/standins/razorpay/entities.ts';
import { page } from '#ship/standins/razorpay/paging.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { perform } from '#ship/standins/razorpay/perform.ts';
import { deleteToken, findTokenOf, listedTokens, requestCancellation } from '#ship/standins/razorpay/tokens.ts';

type ById = { Params: { id: string } };
type ByToken = { Params: { id: string; tokenId: string } };

/** `/v1/customers` and their tokens. */
export function addCustomerRoutes(api: FastifyInstance, parts: RazorpayParts): void {
  const { state } = parts.ledger;

  api.post('/customers', (request) =>
    perform(request, parts.closing, state.behaviour.customersCreate, () => createCustomer(parts, request.body)),
  );
  api.get('/customers', (request) => collection(page(state.customers.values(), request.query)));
  api.get<ById>('/customers/:id', (request) => findCustomer(parts, request.params.id));
  api.put<ById>('/customers/:id', (request) => editCustomer(parts, request.params.id, request.body));

  api.get<ById>('/customers/:id/tokens', (request) =>
    collection(listedTokens(parts, findCustomer(parts, request.params.id).id)),
  );
  api.get<ByToken>(
    '/customers/:id/tokens/:tokenId',
    ({ params }) => findTokenOf(parts, params.id, params.tokenId).token,
  );
  api.delete<ByToken>('/customers/:id/tokens/:tokenId', ({ params }) => {
    deleteToken(parts, findTokenOf(parts, params.id, params.tokenId));
    return { deleted: true };
  });
  api.put<ByToken>('/customers/:id/tokens/:tokenId/cancel', (request) => {
    const record = findTokenOf(parts, request.params.id, request.params.tokenId);
    return perform(request, parts.closing, state.behaviour.tokensCancel, () => {
      requestCancellation(parts, record);
      return { status: 'cancellation_initiated' };
    });
  });
}
