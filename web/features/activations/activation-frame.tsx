import { Outlet, useLocation, useParams } from 'react-router';
import { ActivationBar, type ActivationPlace } from '#web/features/activations/activation-bar.tsx';

/** By the last part of the address. */
const places = new Map<string, ActivationPlace>([
  ['billing', 'subscriptions'],
  ['developers', 'keys'],
  ['reporting', 'usage'],
  ['requests', 'requests'],
  ['support', 'support'],
]);

/** The pages below `/activations/{id}`, under the bar of the activation. */
export function ActivationFrame() {
  const { activationId = '' } = useParams();
  const [, , , part] = useLocation().pathname.split('/');
  return (
    <>
      <ActivationBar activationId={activationId} current={part ? places.get(part) : 'overview'} />
      <Outlet />
    </>
  );
}
