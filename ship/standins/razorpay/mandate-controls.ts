import type { FastifyInstance } from 'fastify';
import { answerPin, endToken, pendingDebits, skipDebit } from '#ship/standins/razorpay/debits.ts';
import { badRequest } from '#ship/standins/razorpay/errors.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { findToken, moveToken, statusOf, type TokenStatus } from '#ship/standins/razorpay/tokens.ts';

type ById = { Params: { id: string } };

/** Controls of mandates, as the payer's UPI app and bank have them. */
export function addMandateControls(app: FastifyInstance, parts: RazorpayParts): void {
  const require = (id: string, ...allowed: TokenStatus[]) => {
    const status = statusOf(findToken(parts, id));
    if (!allowed.includes(status)) throw badRequest(`The token is ${status}.`);
  };

  app.get('/standin/tokens', () =>
    [...parts.ledger.state.tokens.values()].toReversed().map(({ token, customerId, frequency }) => ({
      ...token,
      customer_id: customerId,
      frequency,
    })),
  );
  app.get('/standin/debits', () =>
    pendingDebits(parts).map(({ payment, debit, awaiting }) => ({
      payment,
      is_notified: debit.isNotified,
      awaits_pin: awaiting === 'pin',
      /** When the bank is asked, or the PIN lapses. */
      next_at: awaiting === 'pin' ? debit.pinUntilMs : debit.debitAtMs,
    })),
  );
  app.post<ById>('/standin/tokens/:id/confirm', ({ params: { id } }) => {
    require(id, 'initiated', 'rejected');
    return moveToken(parts, id, 'confirmed').token;
  });
  app.post<ById>('/standin/tokens/:id/reject', ({ params: { id } }) => {
    require(id, 'initiated');
    return moveToken(parts, id, 'rejected', { failure: 'Rejected by bank' }).token;
  });
  app.post<ById>('/standin/tokens/:id/pause', ({ params: { id } }) => {
    require(id, 'confirmed');
    return moveToken(parts, id, 'paused').token;
  });
  app.post<ById>('/standin/tokens/:id/resume', ({ params: { id } }) => {
    require(id, 'paused');
    return moveToken(parts, id, 'confirmed').token;
  });
  app.post<ById>('/standin/tokens/:id/cancel', ({ params: { id } }) => {
    require(id, 'confirmed', 'paused', 'cancellation_initiated');
    endToken(parts, id, 'cancelled');
    return findToken(parts, id).token;
  });
  app.post<ById>('/standin/payments/:id/skip', (request) => skipDebit(parts, request.params.id).payment);
  app.post<ById>('/standin/payments/:id/pin', (request) => answerPin(parts, request.params.id, undefined).payment);
  app.post<ById>(
    '/standin/payments/:id/decline',
    (request) => answerPin(parts, request.params.id, 'payment_cancelled').payment,
  );
}
