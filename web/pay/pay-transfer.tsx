import { useEffect, useState } from 'react';
import type { CallReply } from '#shared/contract/call.ts';
import { type PayLinkBill, transferByPayLink } from '#shared/contract/pay-links.ts';
import { call } from '#web/api/client.ts';
import { TransferFacts } from '#web/features/bank-transfers/transfer-facts.tsx';
import { payLinkTexts as texts } from '#web/pay/texts.ts';
import panel from '#web/ui/panel.module.css';

/** Where to transfer to. Asking for it makes the order that the transfer pays, as for the customer. */
export function PayTransfer({ link, bill: { customerName, seller } }: { link: string; bill: PayLinkBill }) {
  const [asked, setAsked] = useState<CallReply<typeof transferByPayLink> | 'failed' | null>(null);
  useEffect(() => {
    call(transferByPayLink, { body: { link } }).then(setAsked, () => setAsked('failed'));
  }, [link]);
  return (
    <section className={panel.panel} aria-live="polite" aria-busy={asked === null}>
      {asked === null ? <p className="soft">{texts.loading}</p> : null}
      {asked === 'failed' ? <p role="alert">{texts.notOrdered}</p> : null}
      {asked !== null && asked !== 'failed' ? (
        <>
          <p className="soft">{texts.transferLead}</p>
          <TransferFacts {...asked} />
          <p className="caption dim">{texts.transferExact(customerName, seller.name)}</p>
        </>
      ) : null}
    </section>
  );
}
