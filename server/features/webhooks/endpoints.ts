import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { endpointCalls } from '#shared/contract/operator/endpoints.ts';
import { providerEventTypes } from '#shared/contract/provider-events.ts';
import { maxWebhooks } from '#shared/contract/webhooks.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { formatWebhookSecret } from '#shared/domain/webhook.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { newId } from '#server/crypto/ids.ts';
import { startsAndEnds } from '#server/features/timed-events/timed-events.ts';
import type { Handlers, OperatorContext, OperatorSource } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { setNotDone } from '#server/rounds/changes.ts';
import { describeAttempt, describeDelivery, describeWebhook, eventsInOrder, shownUrl } from './describe.ts';
import { sendTestTo, sendAgain } from './queue.ts';
import {
  countDue,
  deleteWebhook,
  insertWebhook,
  lockProvider,
  provider,
  selectAttempts,
  selectDeliveries,
  selectDelivery,
  selectWebhook,
  selectWebhooks,
  updateSecret,
  updateWebhook,
  type WebhookRow,
} from './store.ts';
import { maxDueDeliveries, newSecret, overlapEnd } from './webhooks.ts';

type Endpoint = OperatorReply<'changeEndpoint'>;
interface Change {
  endpointId: string;
  url?: string | undefined;
  events?: string[] | undefined;
  enabled?: boolean | undefined;
}

const endpointOf = (row: WebhookRow): Endpoint => {
  const endpoint = describeWebhook(row, providerEventTypes, Date.now());
  return { ...endpoint, url: shownUrl(endpoint.url) };
};

async function requireEndpoint(db: Db | Tx, id: string): Promise<WebhookRow> {
  const row = await selectWebhook(provider, db, id);
  if (!row)
    throw new OperatorRefusal(`There is no webhook ${id} of yours. List them with: octroi webhooks list`, 'not_found');
  return row;
}

async function requireUsable({ outbound }: OperatorContext, url: string): Promise<void> {
  const fault = await outbound.faultOf(url);
  if (fault !== undefined) throw new OperatorRefusal(`Events can’t be sent to this address: ${fault}.`);
}

const inOrder = (events: readonly string[]) => eventsInOrder(providerEventTypes, events);

/** Writes the audit log for a change of an endpoint; of its address without the query. */
const record = (
  tx: Tx,
  cause: OperatorCause,
  action: 'create' | 'change' | 'roll-secret' | 'remove' | 'test' | 'resend',
  target: string,
  effect: object,
) => recordAction(tx, { ...cause, action: `endpoints.${action}`, target, customerId: null, effect });

interface Wanted {
  url: string;
  events: string[];
}

async function previewNew({ clock }: OperatorContext, db: Db | Tx, { url, events }: Wanted) {
  if ((await selectWebhooks(provider, db)).length >= maxWebhooks)
    throw new OperatorRefusal(`You have ${maxWebhooks} webhooks. Remove one first.`);
  return {
    id: null,
    url: shownUrl(url),
    events: inOrder(events),
    createdAt: new Date(clock()).toISOString(),
    disabledReason: null,
    failingSince: null,
    oldSecretUntil: null,
    lastDeliveryAt: null,
    secret: null,
  };
}

async function create(operator: OperatorContext, wanted: Wanted, cause: OperatorCause) {
  // Not within the transaction: names are looked up for it.
  await requireUsable(operator, wanted.url);
  const [id, secret] = [newId('WHK'), newSecret()];
  return transaction(operator.db, async (tx) => {
    await lockProvider(tx);
    const { url, events, createdAt } = await previewNew(operator, tx, wanted);
    await record(tx, cause, 'create', id, { url, events });
    await insertWebhook(provider, tx, { id, url: wanted.url, events, secret, now: new Date(createdAt) });
    return { ...endpointOf(await requireEndpoint(tx, id)), secret: formatWebhookSecret(secret) };
  });
}

/** What a change makes of an endpoint. */
async function changed(db: Db | Tx, change: Change) {
  const row = await requireEndpoint(db, change.endpointId);
  const wasOn = row.disabled_at === null;
  const { url = row.url, events = row.events, enabled = wasOn } = change;
  const next = { url, events: inOrder(events), enabled };
  const isSame = url === row.url && enabled === wasOn && String(next.events) === String(inOrder(row.events));
  if (isSame) throw new OperatorRefusal(`${row.id} is so already.`, 'nothing_to_change');
  const reply = {
    ...endpointOf(row),
    url: shownUrl(url),
    events: next.events,
    ...(enabled ? { disabledReason: null, failingSince: null } : { disabledReason: row.disabled_reason ?? 'OWNER' }),
  };
  return { next, reply, checks: url !== row.url || (enabled && !wasOn) };
}

async function previewChange(operator: OperatorContext, wanted: Change): Promise<Endpoint> {
  const { next, reply, checks } = await changed(operator.db, wanted);
  if (checks) await requireUsable(operator, next.url);
  return reply;
}

async function change(operator: OperatorContext, wanted: Change, cause: OperatorCause) {
  await previewChange(operator, wanted);
  return transaction(operator.db, async (tx) => {
    await lockProvider(tx);
    const { next, reply } = await changed(tx, wanted);
    const { url, events, disabledReason } = reply;
    await record(tx, cause, 'change', wanted.endpointId, { url, events, disabledReason });
    await updateWebhook(provider, tx, wanted.endpointId, next, new Date());
    // It may want starts and ends of the last days that nobody was told of.
    await setNotDone(tx, startsAndEnds);
    return endpointOf(await requireEndpoint(tx, wanted.endpointId));
  });
}

function rollSecret({ db }: OperatorSource, { endpointId, overlapHours }: OverlapOf, cause: OperatorCause) {
  const [secret, now] = [newSecret(), Date.now()];
  return transaction(db, async (tx) => {
    await requireEndpoint(tx, endpointId);
    await record(tx, cause, 'roll-secret', endpointId, { overlapHours });
    const until = { now: new Date(now), oldUntil: overlapEnd(now, overlapHours) };
    await updateSecret(provider, tx, endpointId, secret, until);
    return { ...endpointOf(await requireEndpoint(tx, endpointId)), secret: formatWebhookSecret(secret) };
  });
}

interface OverlapOf {
  endpointId: string;
  overlapHours: number;
}

function remove({ db }: OperatorSource, { endpointId }: { endpointId: string }, cause: OperatorCause) {
  return transaction(db, async (tx) => {
    const endpoint = endpointOf(await requireEndpoint(tx, endpointId));
    await record(tx, cause, 'remove', endpointId, { url: endpoint.url });
    await deleteWebhook(provider, tx, endpointId);
    return endpoint;
  });
}

async function requireSendable(db: Db | Tx, { id, disabled_at: disabledAt }: WebhookRow): Promise<void> {
  if (disabledAt !== null) throw new OperatorRefusal(`${id} is switched off. Switch it on first.`);
  if ((await countDue(provider, db, id)) >= maxDueDeliveries)
    throw new OperatorRefusal(`${maxDueDeliveries} deliveries to ${id} are due already. Try again in a minute.`);
}

async function previewTest(db: Db | Tx, endpointId: string) {
  const row = await requireEndpoint(db, endpointId);
  await requireSendable(db, row);
  return { endpointId, url: shownUrl(row.url), event: 'webhook.test', deliveryId: null };
}

function test(operator: OperatorContext, { endpointId }: { endpointId: string }, cause: OperatorCause) {
  return transaction(operator.db, async (tx) => {
    await lockProvider(tx);
    const preview = await previewTest(tx, endpointId);
    const deliveryId = await sendTestTo(operator, provider, tx, endpointId);
    await record(tx, cause, 'test', endpointId, { deliveryId });
    return { ...preview, deliveryId };
  });
}

async function requireDelivery(db: Db | Tx, deliveryId: string) {
  const delivery = await selectDelivery(provider, db, deliveryId);
  if (!delivery) throw new OperatorRefusal(`There is no delivery ${deliveryId} to a webhook of yours.`, 'not_found');
  return delivery;
}

async function previewResend(db: Db | Tx, deliveryId: string) {
  const { webhook_id: endpointId, type: event } = await requireDelivery(db, deliveryId);
  const row = await requireEndpoint(db, endpointId);
  await requireSendable(db, row);
  return { endpointId, url: shownUrl(row.url), event, deliveryId };
}

function resend(operator: OperatorContext, { deliveryId }: { deliveryId: string }, cause: OperatorCause) {
  return transaction(operator.db, async (tx) => {
    await lockProvider(tx);
    const preview = await previewResend(tx, deliveryId);
    await record(tx, cause, 'resend', deliveryId, { endpointId: preview.endpointId });
    await sendAgain(operator, provider, tx, { webhookId: preview.endpointId, deliveryId });
    return preview;
  });
}

export const endpointHandlers: Handlers<typeof endpointCalls> = {
  listEndpoints: {
    read: async ({ db }) => ({ endpoints: (await selectWebhooks(provider, db)).map(endpointOf) }),
  },
  createEndpoint: {
    preview: async (operator, wanted) => {
      await requireUsable(operator, wanted.url);
      return previewNew(operator, operator.db, wanted);
    },
    perform: create,
  },
  changeEndpoint: { preview: previewChange, perform: change },
  rollEndpointSecret: {
    needs: 'database',
    preview: async ({ db }, { endpointId, overlapHours }) => ({
      ...endpointOf(await requireEndpoint(db, endpointId)),
      oldSecretUntil: overlapEnd(Date.now(), overlapHours)?.toISOString() ?? null,
      secret: null,
    }),
    perform: rollSecret,
  },
  removeEndpoint: {
    needs: 'database',
    preview: async ({ db }, { endpointId }) => endpointOf(await requireEndpoint(db, endpointId)),
    perform: remove,
  },
  testEndpoint: { preview: ({ db }, { endpointId }) => previewTest(db, endpointId), perform: test },
  listDeliveries: {
    read: async ({ db }, { endpointId }) => {
      await requireEndpoint(db, endpointId);
      return { deliveries: (await selectDeliveries(provider, db, endpointId)).map(describeDelivery) };
    },
  },
  readDelivery: {
    read: async ({ db }, { deliveryId }) => {
      const delivery = await requireDelivery(db, deliveryId);
      const attempts = (await selectAttempts(provider, db, deliveryId)).map(describeAttempt);
      return { ...describeDelivery(delivery), endpointId: delivery.webhook_id, attempts };
    },
  },
  resendDelivery: { preview: ({ db }, { deliveryId }) => previewResend(db, deliveryId), perform: resend },
};
