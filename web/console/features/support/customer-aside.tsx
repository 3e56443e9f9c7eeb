import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { isPromise } from '#shared/domain/pay-later.ts';
import type { Note } from '#web/console/features/support/notes.tsx';
import classes from '#web/console/features/support/thread-page.module.css';
import { useProductName } from '#web/console/api/use-operator.ts';
import { CustomerLink } from '#web/console/ui/cells.tsx';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { dayText, instantText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';

const stateOf = ({ id, use, status }: OperatorReply<'readCustomer'>['payments'][number]): string =>
  use === 'HELD' ? 'held' : isPromise(id) ? 'to be paid later' : status;

/** What one wants to know of a customer while answering. */
export function CustomerAside({ customerId, notes }: { customerId: string; notes: readonly Note[] }) {
  const nameOf = useProductName();
  const noted = notes.map(({ id, note, writtenBy }) => ({ key: id, label: `Note of ${writtenBy}`, value: note }));
  return (
    <aside className={classes.aside} aria-label="Customer">
      <LoadedCall call="readCustomer" input={{ customerId }} failed="The customer could not be read" height={200}>
        {({ name, email, legalName, gstin, phone, blockedAt, activations, payments }) => {
          const [payment] = payments;
          const plans = activations.map(({ id, productId, plan }) => ({
            key: id,
            label: nameOf(productId),
            value: plan === null ? 'No plan runs' : `${plan.name}, ends before ${dayText(plan.toDate)}`,
          }));
          const facts = [
            ['Name', name],
            ['E-mail', email],
            ['Business', legalName],
            ['GSTIN', gstin],
            ['Phone', phone],
            ['Blocked since', blockedAt && instantText(blockedAt)],
            [
              'Last payment',
              payment && `${moneyText(payment.amount)}, ${stateOf(payment)}, ${instantText(payment.createdAt)}`,
            ],
          ].flatMap(([label, value]) => (value ? [{ key: label ?? '', label, value }] : []));
          return (
            <>
              <Facts facts={[...facts, ...plans, ...noted]} />
              <CustomerLink id={customerId} name="Open the customer" />
            </>
          );
        }}
      </LoadedCall>
    </aside>
  );
}
