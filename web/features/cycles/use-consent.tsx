import { type ReactNode, useState } from 'react';
import type { Cycle } from '#shared/contract/cycles.ts';
import type { MandateMethod } from '#shared/domain/mandate.ts';
import { cyclesOf, type Purchase } from '#web/features/payments/purchase.ts';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { consentFor } from '#web/features/renewals/consent.ts';
import { RenewChoice } from '#web/features/renewals/renew-choice.tsx';

/**
 * The consent to later debits on a page that asks for the payment of some cycles: its tick, and the payment by which every button of the page
 * carries it. A payment for other cycles carries none: the words beside the tick are not about it.
 */
export function useConsent(
  activationId: string,
  cycles: readonly Cycle[],
  payment: Payment,
): { tick: ReactNode; payment: Payment } {
  const [isChosen, setChosen] = useState(false);
  const [method, setMethod] = useState<MandateMethod>('upi');
  const consent = consentFor(cycles);
  const isAbout = (purchase: Purchase) => {
    const paid = cyclesOf(purchase);
    return paid.length === cycles.length && cycles.every(({ id }) => paid.includes(id));
  };
  const pay = (purchase: Purchase): void => {
    const renewal = consent && { activationId, pinEachTime: consent.pinEachTime, method };
    payment.pay(renewal && isChosen && isAbout(purchase) ? { ...purchase, renewal } : purchase);
  };
  return {
    tick: consent && (
      <RenewChoice
        activationId={activationId}
        consent={consent}
        isChosen={isChosen}
        onChange={setChosen}
        method={method}
        onMethod={setMethod}
      />
    ),
    payment: { ...payment, pay },
  };
}
