import { expect } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { testOperators } from '#server/test/operators.ts';
import { startTestPortal } from '#server/test/portal.ts';

const people = ['asha', 'meena', 'imran'] as const;

/** Three owners at a portal where one person decides up to ₹1,000. */
export async function startTeam() {
  const catalogDir = changedCatalog({ 'invoicing-system': { onDeactivate: 'refund-unused' } });
  const world = await startTestPortal({ jobs: false, catalogDir, env: { OPERATOR_APPROVAL_RUPEES: '1000' } });
  await world.behave({ webhooks: { enabled: false } });
  const operators = testOperators(world);
  const signedIn = async (name: (typeof people)[number]) => {
    const token = await operators.signedIn(`${name}@kaveri.example`, 'owner');
    await operators.prove(`${name}@kaveri.example`);
    return token;
  };
  const session = { asha: await signedIn('asha'), meena: await signedIn('meena'), imran: await signedIn('imran') };
  return {
    world,
    operators,
    session,
    /** A customer who paid ₹1,499 for a plan. */
    newPayment: async (): Promise<string> => {
      const buyer = await newBuyer(world);
      const cycleId = await buyer.buy(0);
      const { provider_payment_id: paymentId } = await world.portal.db
        .selectFrom('cycle_payments')
        .select('provider_payment_id')
        .where('cycle_id', '=', cycleId)
        .executeTakeFirstOrThrow();
      return paymentId;
    },
    refund: (token: string, of: string, amount: number | undefined, more = {}) =>
      operators.act(token, 'refundPayment', amount === undefined ? { of } : { of, amount }, more),
    refunds: async (paymentId: string) =>
      (
        await world.portal.db
          .selectFrom('refunds')
          .select('amount_paise')
          .where('payment_id', '=', paymentId)
          .orderBy('amount_paise')
          .execute()
      ).map(({ amount_paise: paise }) => paise),
    decide: (token: string, name: 'approve' | 'decline', approvalId: string) =>
      operators.act(token, name, { approvalId }),
  };
}

export type Team = Awaited<ReturnType<typeof startTeam>>;

export const waitingId = ({ status, body }: { status: number; body: unknown }): string => {
  expect(status).toBe(200);
  expect(body).toEqual({ waitsForApproval: expect.stringMatching(/^APR-/) });
  return String(Object(body).waitsForApproval);
};
