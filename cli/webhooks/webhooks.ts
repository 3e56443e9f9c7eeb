import { Command, InvalidArgumentError, Option } from 'commander';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import {
  changeEndpoint,
  createEndpoint,
  listDeliveries,
  listEndpoints,
  readDelivery,
  removeEndpoint,
  resendDelivery,
  rollEndpointSecret,
  testEndpoint,
} from '#shared/contract/operator/endpoints.ts';
import { providerEventTypes } from '#shared/contract/provider-events.ts';
import { istTime } from '#shared/domain/day.ts';

type Endpoint = OperatorReply<'changeEndpoint'>;

/** `octroi webhooks …`: the provider's own webhooks; those of a customer are `octroi customers webhooks`. */
export function webhooksCommands(): Command {
  const webhooks = new Command('webhooks').description(
    'Your own webhooks: addresses of your programs that hear what happens to all customers.',
  );
  commandFor(listEndpoints, webhooks.command('list'))
    .description('List your webhooks.')
    .addHelpText('after', '\nExample:\n  octroi webhooks list')
    .action(list);
  eventsOption(commandFor(createEndpoint, webhooks.command('add <url>')), allEvents)
    .description('Add an https address that receives events. Its signing secret is shown once.')
    .addHelpText(
      'after',
      `\nEvents: ${providerEventTypes.join(', ')}\n\nExample:\n  octroi webhooks add https://crm.kaveri.example/octroi --events customer.created,payment.captured --reason "CRM"`,
    )
    .action(add);
  eventsOption(commandFor(changeEndpoint, webhooks.command('change <webhook>')))
    .description('Change the address or the events of a webhook (WHK-…), or switch it off or on again.')
    .option('--url <url>', 'another address')
    .addOption(new Option('--off', 'switch it off').conflicts('on'))
    .option('--on', 'switch it on again')
    .addHelpText('after', '\nExample:\n  octroi webhooks change WHK-7K2M9QX4TB01 --on --reason "The CRM is back"')
    .action(change);
  commandFor(rollEndpointSecret, webhooks.command('roll-secret <webhook>'))
    .description('Replace the signing secret. The new one is shown once.')
    .option('--overlap <hours>', 'how long the old one signs too, up to 168', readHours, 24)
    .addHelpText('after', '\nExample:\n  octroi webhooks roll-secret WHK-7K2M9QX4TB01 --reason "Yearly"')
    .action(roll);
  commandFor(removeEndpoint, webhooks.command('remove <webhook>'))
    .description('Remove a webhook with its deliveries.')
    .addHelpText('after', '\nExample:\n  octroi webhooks remove WHK-7K2M9QX4TB01 --reason "The CRM is gone"')
    .action(remove);
  commandFor(testEndpoint, webhooks.command('test <webhook>'))
    .description('Send a test event. The running portal delivers it.')
    .addHelpText('after', '\nExample:\n  octroi webhooks test WHK-7K2M9QX4TB01 --reason "Is the CRM there?" --yes')
    .action(test);
  commandFor(listDeliveries, webhooks.command('deliveries <webhook>'))
    .description('List the latest 50 deliveries, newest first.')
    .addHelpText('after', '\nExample:\n  octroi webhooks deliveries WHK-7K2M9QX4TB01')
    .action(deliveries);
  commandFor(readDelivery, webhooks.command('delivery <delivery>'))
    .description('Show a delivery (DLV-…): what is sent, and each attempt.')
    .addHelpText('after', '\nExample:\n  octroi webhooks delivery DLV-7K2M9QX4TB01')
    .action(delivery);
  commandFor(resendDelivery, webhooks.command('resend <delivery>'))
    .description('Send a delivery again now, with the same event id.')
    .addHelpText('after', '\nExample:\n  octroi webhooks resend DLV-7K2M9QX4TB01 --reason "The CRM was down" --yes')
    .action(resend);
  return webhooks;
}

const allEvents: string[] = [...providerEventTypes];
const readEvents = (text: string): string[] => (text === 'all' ? allEvents : text.split(','));

const eventsOption = (command: Command, initial?: string[]) =>
  command.option('--events <types>', 'which events, separated by commas, or all', readEvents, initial);

function readHours(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('A number of hours.');
  return Number(text);
}

const stateOf = ({ disabledReason, failingSince }: Endpoint): string =>
  disabledReason !== null
    ? `off: ${disabledReason}`
    : failingSince === null
      ? 'on'
      : `fails since ${istTime(new Date(failingSince))}`;

const lineOf = (endpoint: Endpoint): string =>
  [endpoint.id, endpoint.url, stateOf(endpoint), endpoint.events.join(',')].join('  ');

const withSecret = (reply: Endpoint & { secret: string | null }): string[] => [
  lineOf(reply),
  `Signing secret, shown only now: ${reply.secret}`,
];

async function list(options: { json?: boolean }): Promise<void> {
  await show(listEndpoints, {}, options, ({ endpoints }) =>
    endpoints.length === 0 ? ['No webhooks.'] : endpoints.map(lineOf),
  );
}

const add = (url: string, options: ActionOptions & { events: string[] }) =>
  act(createEndpoint, { url, events: options.events }, options, {
    did: 'added',
    effect: (preview) => [`${preview.url} receives: ${preview.events.join(', ')}.`],
    question: 'Add this webhook?',
    done: withSecret,
  });

interface Changes {
  url?: string;
  events?: string[];
  on?: true;
  off?: true;
}

const change = (endpointId: string, { url, events, on, off, ...options }: ActionOptions & Changes) =>
  act(changeEndpoint, { endpointId, url, events, enabled: on ?? (off && false) }, options, {
    did: 'changed',
    effect: (preview) => [`It becomes: ${lineOf(preview)}`],
    question: 'Change this webhook?',
    done: (reply) => [lineOf(reply)],
  });

const roll = (endpointId: string, { overlap, ...options }: ActionOptions & { overlap: number }) =>
  act(rollEndpointSecret, { endpointId, overlapHours: overlap }, options, {
    did: 'replaced',
    effect: ({ url, oldSecretUntil }) => [
      `${url} gets a new secret. The old one signs ${oldSecretUntil === null ? 'no longer' : `until ${istTime(new Date(oldSecretUntil))}`}.`,
    ],
    question: 'Replace this secret?',
    done: withSecret,
  });

const remove = (endpointId: string, options: ActionOptions) =>
  act(removeEndpoint, { endpointId }, options, {
    did: 'removed',
    effect: ({ url }) => [`Nothing more is sent to ${url}, and its deliveries are deleted.`],
    question: 'Remove this webhook?',
    done: ({ url }) => [`${url} is removed.`],
  });

const test = (endpointId: string, options: ActionOptions) =>
  act(testEndpoint, { endpointId }, options, {
    did: 'sent',
    effect: ({ url }) => [`A test event goes to ${url}.`],
    question: 'Send it?',
    done: ({ deliveryId }) => [`Its delivery: octroi webhooks delivery ${deliveryId}`],
  });

async function deliveries(endpointId: string, options: { json?: boolean }): Promise<void> {
  await show(listDeliveries, { endpointId }, options, (reply) =>
    reply.deliveries.length === 0
      ? ['No deliveries.']
      : reply.deliveries.map(({ id, type, status, tries, createdAt, responseStatus, fault }) =>
          [id, istTime(new Date(createdAt)), type, status, `tries: ${tries}`, responseStatus ?? fault ?? ''].join('  '),
        ),
  );
}

async function delivery(deliveryId: string, options: { json?: boolean }): Promise<void> {
  await show(readDelivery, { deliveryId }, options, ({ eventId, status, body, attempts }) => [
    `Event ${eventId}: ${status}`,
    body,
    ...attempts.map(({ attempt, at, durationMs, responseStatus, fault, responseStart }) =>
      [attempt, istTime(new Date(at)), `${durationMs} ms`, responseStatus ?? fault, responseStart ?? ''].join('  '),
    ),
  ]);
}

const resend = (deliveryId: string, options: ActionOptions) =>
  act(resendDelivery, { deliveryId }, options, {
    did: 'sent',
    effect: ({ event, url }) => [`${event} goes to ${url} again.`],
    question: 'Send it again?',
    done: ({ event, url }) => [`${event} is on its way to ${url}.`],
  });
