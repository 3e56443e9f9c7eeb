import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { providerEventTypes, whenSent } from '#shared/contract/provider-events.ts';
import { type Action, actionOf, tickedIn } from '#web/console/ui/action.ts';

export type Endpoint = OperatorReply<'listEndpoints'>['endpoints'][number];

const eventsField = (initial: readonly string[]) => ({
  name: 'events',
  label: 'Events',
  kind: 'ticks' as const,
  initial: initial.join(' '),
  choices: providerEventTypes.map((type) => ({ value: type, label: type, hint: whenSent(type) })),
});

export const createEndpoint = actionOf({
  call: 'createEndpoint',
  title: 'Add a webhook',
  verb: 'Add',
  about: 'Your program gets the events of all customers. The secret that signs them is shown once, here.',
  fields: [{ name: 'url', label: 'Address', hint: 'Begins with https://' }, eventsField(providerEventTypes)],
  input: (value) => ({ url: value('url'), events: tickedIn(value('events')) }),
});

/** What can be done to a webhook of the provider. */
export function endpointActions({ id, events, disabledReason }: Endpoint): Action[] {
  const endpointId = id ?? '';
  const isOn = disabledReason === null;
  return [
    ...(isOn
      ? [
          actionOf({
            call: 'testEndpoint',
            title: 'Send a test',
            verb: 'Send',
            input: () => ({ endpointId }),
          }),
        ]
      : []),
    actionOf({
      call: 'changeEndpoint',
      title: 'Change the webhook',
      verb: 'Change',
      fields: [{ name: 'url', label: 'New address', hint: 'Empty: as it is', isOptional: true }, eventsField(events)],
      input: (value) => ({
        endpointId,
        events: tickedIn(value('events')),
        ...(value('url') !== '' && { url: value('url') }),
      }),
    }),
    actionOf({
      call: 'changeEndpoint',
      title: isOn ? 'Switch the webhook off' : 'Switch the webhook on',
      verb: isOn ? 'Switch off' : 'Switch on',
      isDangerous: isOn,
      about: isOn
        ? 'It gets no events until it is on again; those are not kept for it.'
        : 'It gets events from now on. Resend what failed from its deliveries.',
      input: () => ({ endpointId, enabled: !isOn }),
    }),
    actionOf({
      call: 'rollEndpointSecret',
      title: 'Replace the secret',
      verb: 'Replace',
      about: 'The new secret is shown once, here.',
      fields: [{ name: 'hours', label: 'Hours in which the old one signs too', kind: 'number', initial: '24' }],
      input: (value) => ({ endpointId, overlapHours: Number(value('hours')) }),
    }),
    actionOf({
      call: 'removeEndpoint',
      title: 'Remove the webhook',
      verb: 'Remove',
      isDangerous: true,
      input: () => ({ endpointId }),
    }),
  ];
}
