import { onTestFinished } from 'vitest';
import type { ActionName, OperatorInput } from '#shared/contract/operator/calls.ts';
import { providerBodySchema, type ProviderEventType, providerEventTypes } from '#shared/contract/provider-events.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import type { TestPortal } from '#server/test/portal.ts';
import { startReceiver } from './test-receiver.ts';

const cause = { actor: 'asha', reason: 'A test' };

/** Does an action as an owner at the terminal would. */
export const actOn = <Name extends ActionName>({ portal }: TestPortal, name: Name, input: OperatorInput<Name>) =>
  actAsOperator(portal, 'owner', name, input, cause);

/** The provider's events so far, oldest first, each body parsed by the contract. */
export async function providerEvents({ portal }: TestPortal) {
  const rows = await portal.db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'body'])
    .where('customer_id', 'is', null)
    .orderBy('created_at')
    .execute();
  return rows.flatMap(({ id, type, body }) => {
    const known = providerEventTypes.find((each) => each === type);
    if (known === undefined) return [];
    const { data } = providerBodySchema(known).parse(JSON.parse(body));
    return [{ id, type: known, data: { ...data } }];
  });
}

/** A webhook of the provider to the test's receiver. */
export async function subscribeProvider(test: TestPortal, events: readonly ProviderEventType[] = providerEventTypes) {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const { id, secret } = await actOn(test, 'createEndpoint', { url: receiver.url, events: [...events] });
  const endpointId = id ?? '';
  onTestFinished(async () => void (await actOn(test, 'removeEndpoint', { endpointId })));
  const deliveryOf = async (deliveryId: string) =>
    readAsOperator(test.portal, 'read-only', 'readDelivery', { deliveryId });
  return {
    receiver,
    endpointId,
    secret: secret ?? '',
    sendTest: async () => (await actOn(test, 'testEndpoint', { endpointId })).deliveryId ?? '',
    deliveryOf,
    now: async () =>
      (await readAsOperator(test.portal, 'read-only', 'listEndpoints', {})).endpoints.find((each) => each.id === id),
  };
}
