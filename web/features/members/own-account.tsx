import { listMyCustomers, openOwnCustomer } from '#shared/contract/members.ts';
import { useAction, useCall } from '#web/api/use-call.ts';
import { memberTexts as texts } from '#web/features/members/texts.ts';
import { enterCustomer } from '#web/session/enter-customer.ts';
import { ActionButton } from '#web/ui/action-button.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';

/** For a guest of others who has none: an account of the own. */
export function OwnAccount() {
  const mine = useCall(listMyCustomers, {}).data;
  const opening = useAction(openOwnCustomer, {
    onDone: ({ accessToken }) => enterCustomer(accessToken, '/marketplace'),
    onFailed: (failure) => notifyFailure(texts.ownFailed, failure.message),
  });
  if (mine?.mayOpenOwn !== true) return null;
  return (
    <div>
      <ActionButton
        call="openOwnCustomer"
        variant="default"
        running={opening.running}
        onClick={() => void opening.run({})}
      >
        {opening.running ? texts.opening : texts.own}
      </ActionButton>
      <p className="caption soft">{texts.ownMore}</p>
    </div>
  );
}
